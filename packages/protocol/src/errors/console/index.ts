import { ACCESS_ERRORS } from "./access.ts";
import { APPLICATION_ERRORS } from "./applications.ts";
import { CUSTOMER_SERVICE_ERRORS } from "./customer-service.ts";
import { DIRECTORY_ERRORS } from "./directory.ts";
import { INSTALLATION_ERRORS } from "./installations.ts";
import { REVIEW_ERRORS } from "./reviews.ts";
import { TEMPLATE_ERRORS } from "./templates.ts";
import { WEBHOOK_ERRORS } from "./webhooks.ts";

/**
 * The errors of the console API, including operators' calls, in addition to those of all APIs. The name of a row is the
 * `errorCode` of the answer, and is stable.
 */
export const CONSOLE_ERRORS = {
  ...ACCESS_ERRORS,
  ...APPLICATION_ERRORS,
  ...REVIEW_ERRORS,
  ...INSTALLATION_ERRORS,
  ...WEBHOOK_ERRORS,
  ...TEMPLATE_ERRORS,
  ...CUSTOMER_SERVICE_ERRORS,
  ...DIRECTORY_ERRORS,
} as const;
