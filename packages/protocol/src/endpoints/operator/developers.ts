import {
  CreateDeveloperBodySchema,
  DirectoryDeveloperListSchema,
  DirectoryDeveloperSchema,
  DirectoryQuerySchema,
  UpdateDeveloperBodySchema,
} from "../../schemas/index.ts";
import { type ConsoleEndpoint, NO_CONTENT } from "../console-endpoint.ts";
import { PASSWORD_RULES } from "../error-sets.ts";

/** The developers of the platform. */
export const OPERATOR_DEVELOPER_ENDPOINTS = {
  listDevelopers: {
    method: "GET",
    path: "/api/open/console/v1/operator/developers",
    summary: "List the developers",
    access: "operator",
    query: DirectoryQuerySchema,
    value: DirectoryDeveloperListSchema,
    errors: [],
  },
  createDeveloper: {
    method: "POST",
    path: "/api/open/console/v1/operator/developers",
    summary: "Add a developer",
    access: "operator",
    body: CreateDeveloperBodySchema,
    value: DirectoryDeveloperSchema,
    errors: [
      "DEVELOPER_TENANT_UNKNOWN",
      "DEVELOPER_PHONE_TAKEN",
      ...PASSWORD_RULES,
      "DEVELOPER_BUSY",
      "LOGINS_TOO_MANY",
    ],
  },
  updateDeveloper: {
    method: "PATCH",
    path: "/api/open/console/v1/operator/developers/:developerId",
    summary: "Change a developer, shut them out or let them in again",
    access: "operator",
    body: UpdateDeveloperBodySchema,
    value: DirectoryDeveloperSchema,
    errors: [
      "CANNOT_DISABLE_SELF",
      "CANNOT_DEMOTE_SELF",
      "CANNOT_SET_OWN_PASSWORD",
      "DEVELOPER_NOT_FOUND",
      "DEVELOPER_TENANT_UNKNOWN",
      ...PASSWORD_RULES,
      "DEVELOPER_BUSY",
      "LOGINS_TOO_MANY",
    ],
  },
  resetSecondFactor: {
    method: "DELETE",
    path: "/api/open/console/v1/operator/developers/:developerId/second-factor",
    summary: "Take a developer's second factor away, as they have lost it, and sign them out everywhere",
    access: "operator",
    value: NO_CONTENT,
    errors: ["DEVELOPER_NOT_FOUND", "CANNOT_RESET_OWN_SECOND_FACTOR", "SECOND_FACTOR_OFF"],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
