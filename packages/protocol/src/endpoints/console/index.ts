import { APP_ENDPOINTS } from "./apps.ts";
import { AUDIT_ENDPOINTS } from "./audit.ts";
import { CREDENTIAL_ENDPOINTS } from "./credentials.ts";
import { CUSTOMER_SERVICE_ENDPOINTS } from "./customer-service.ts";
import { INSTALLATION_ENDPOINTS } from "./installations.ts";
import { REHEARSAL_ENDPOINTS } from "./rehearsals.ts";
import { REQUEST_ENDPOINTS } from "./requests.ts";
import { SCOPE_ENDPOINTS } from "./scopes.ts";
import { SECOND_FACTOR_ENDPOINTS } from "./second-factor.ts";
import { SIGN_IN_ENDPOINTS } from "./sign-in.ts";
import { TEMPLATE_ENDPOINTS } from "./templates.ts";
import { WEBHOOK_ENDPOINTS } from "./webhooks.ts";

/** The calls of the developers' console API (docs/contract/console.md), by the name of the operation. */
export const CONSOLE_ENDPOINTS = {
  ...SIGN_IN_ENDPOINTS,
  ...SECOND_FACTOR_ENDPOINTS,
  ...APP_ENDPOINTS,
  ...CREDENTIAL_ENDPOINTS,
  ...SCOPE_ENDPOINTS,
  ...INSTALLATION_ENDPOINTS,
  ...CUSTOMER_SERVICE_ENDPOINTS,
  ...TEMPLATE_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...REHEARSAL_ENDPOINTS,
  ...REQUEST_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
} as const;
