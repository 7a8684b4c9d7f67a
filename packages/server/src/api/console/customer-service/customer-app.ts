import type { ConsoleApp } from "../../../domain/applications/visible-app.ts";
import { ConsoleError } from "../../common/console/console-error.ts";

/** What an application has that is for customers, and what is said of one that is not. */
const NOT_FOR_APP = {
  agents: "AGENTS_NOT_FOR_APP",
  visitors: "VISITORS_NOT_FOR_APP",
  widget: "WIDGET_NOT_FOR_APP",
} as const;

/** @throws ConsoleError 409 for an application that is for no customers and so has none of `what`. */
export function checkCustomerApp({ type }: Pick<ConsoleApp, "type">, what: keyof typeof NOT_FOR_APP): void {
  if (type !== "CUSTOMER_SERVICE") throw new ConsoleError(NOT_FOR_APP[what]);
}
