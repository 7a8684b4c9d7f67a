import { OPERATOR_APP_ENDPOINTS } from "./apps.ts";
import { OPERATOR_DEVELOPER_ENDPOINTS } from "./developers.ts";
import { OPERATOR_GROUP_ENDPOINTS } from "./groups.ts";
import { OPERATOR_HEALTH_ENDPOINTS } from "./health.ts";
import { OPERATOR_MEMBER_DATA_ENDPOINTS } from "./member-data.ts";
import { OPERATOR_MEMBER_ENDPOINTS } from "./members.ts";
import { OPERATOR_REQUEST_ENDPOINTS } from "./requests.ts";
import { OPERATOR_TENANT_ENDPOINTS } from "./tenants.ts";

/** The operators' calls of the console API (docs/contract/console.md), by operation name. */
export const OPERATOR_ENDPOINTS = {
  ...OPERATOR_APP_ENDPOINTS,
  ...OPERATOR_TENANT_ENDPOINTS,
  ...OPERATOR_MEMBER_ENDPOINTS,
  ...OPERATOR_MEMBER_DATA_ENDPOINTS,
  ...OPERATOR_GROUP_ENDPOINTS,
  ...OPERATOR_DEVELOPER_ENDPOINTS,
  ...OPERATOR_REQUEST_ENDPOINTS,
  ...OPERATOR_HEALTH_ENDPOINTS,
} as const;
