export { CONSOLE_ENDPOINTS } from "./console/index.ts";
export {
  type ConsoleAccess,
  type ConsoleEndpoint,
  consoleErrorsOf,
  NO_CONTENT,
  type TenantRule,
} from "./console-endpoint.ts";
export * from "./endpoint.ts";
export { hasShape } from "./has-shape.ts";
export { OPERATOR_ENDPOINTS } from "./operator/index.ts";
