import type { ConsoleApp } from "../../../domain/applications/visible-app.ts";
import { ConsoleError } from "../../common/console/console-error.ts";

/** The parts of a customer-service application, and the error for other applications. */
const NOT_FOR_APP = {
  agents: "AGENTS_NOT_FOR_APP",
  visitors: "VISITORS_NOT_FOR_APP",
  cannedReplies: "CANNED_REPLIES_NOT_FOR_APP",
  widget: "WIDGET_NOT_FOR_APP",
} as const;

/** @throws ConsoleError 409 for an application of another type, which has no `what`. */
export function checkCustomerApp({ type }: Pick<ConsoleApp, "type">, what: keyof typeof NOT_FOR_APP): void {
  if (type !== "CUSTOMER_SERVICE") throw new ConsoleError(NOT_FOR_APP[what]);
}
