export { CLIENT_ENDPOINTS } from "./client/index.ts";
export { CONSOLE_ENDPOINTS } from "./console/index.ts";
export {
  type ConsoleAccess,
  type ConsoleEndpoint,
  consoleErrorsOf,
  NO_CONTENT,
  type TenantRule,
} from "./console-endpoint.ts";
export { DESK_ENDPOINTS } from "./desk/index.ts";
export * from "./endpoint.ts";
export {
  CONSOLE_CALL_ERRORS,
  formErrors,
  MEMBER_CALL_ERRORS,
  OPEN_CALL_ERRORS,
  WIDGET_CALL_ERRORS,
} from "./error-sets.ts";
export { hasShape } from "./has-shape.ts";
export type { MemberAccess, MemberEndpoint } from "./member-access.ts";
export { EVENT_STREAM } from "./open/events.ts";
export { OPEN_ENDPOINTS, type OpenAccess, type OpenEndpoint } from "./open/index.ts";
export { OPERATOR_ENDPOINTS } from "./operator/index.ts";
export { SIGN_IN_PAGES } from "./sign-in-pages.ts";
export { START_ENDPOINTS } from "./start/index.ts";
export { STREAM_PATHS } from "./stream-paths.ts";
export type { WidgetAccess, WidgetEndpoint } from "./widget/access.ts";
export { WIDGET_ENDPOINTS } from "./widget/index.ts";
