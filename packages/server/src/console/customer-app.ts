import type { ConsoleApp } from "./app-access.ts";
import { ConsoleError } from "./console-error.ts";

/** @throws ConsoleError 409 for an application that is for no customers and so has none of `what`. */
export function checkCustomerApp({ type }: Pick<ConsoleApp, "type">, what = "客服"): void {
  if (type !== "CUSTOMER_SERVICE") throw new ConsoleError(409, `只有CUSTOMER_SERVICE类型的应用有${what}`);
}
