export { CONSOLE_ENDPOINTS } from "./console/index.ts";
export {
  type ConsoleAccess,
  type ConsoleEndpoint,
  consoleErrorsOf,
  NO_CONTENT,
  type TenantRule,
} from "./console-endpoint.ts";
export type * from "./endpoint.ts";
export { OPERATOR_ENDPOINTS } from "./operator/index.ts";
