import {
  CreateMemberBodySchema,
  DirectoryMemberListSchema,
  DirectoryMemberSchema,
  DirectoryQuerySchema,
  ImportMembersBodySchema,
  ImportMembersSchema,
  UpdateMemberBodySchema,
} from "../../schemas/index.ts";
import type { ConsoleEndpoint } from "../console-endpoint.ts";
import { PASSWORD_RULES } from "../error-sets.ts";

/** The members of the tenant in the header. */
export const OPERATOR_MEMBER_ENDPOINTS = {
  listMembers: {
    method: "GET",
    path: "/api/open/console/v1/operator/members",
    summary: "List a tenant's members",
    access: "operator",
    tenant: true,
    query: DirectoryQuerySchema,
    value: DirectoryMemberListSchema,
    errors: [],
  },
  createMember: {
    method: "POST",
    path: "/api/open/console/v1/operator/members",
    summary: "Add a member to a tenant",
    access: "operator",
    tenant: true,
    body: CreateMemberBodySchema,
    value: DirectoryMemberSchema,
    errors: [
      "USERNAME_TAKEN",
      "USERNAME_TAKEN_IN_OTHER_CASE",
      "USERNAME_OR_USER_ID_TAKEN",
      ...PASSWORD_RULES,
      "DEVELOPER_BUSY",
      "LOGINS_TOO_MANY",
    ],
  },
  importMembers: {
    method: "POST",
    path: "/api/open/console/v1/operator/members/import",
    summary: "Add many members to a tenant; those who are there stay as they are",
    access: "operator",
    tenant: true,
    body: ImportMembersBodySchema,
    value: ImportMembersSchema,
    errors: ["DEVELOPER_BUSY", "LOGINS_TOO_MANY"],
  },
  updateMember: {
    method: "PATCH",
    path: "/api/open/console/v1/operator/members/:userId",
    summary: "Change a member, shut them out or let them in again",
    access: "operator",
    tenant: true,
    body: UpdateMemberBodySchema,
    value: DirectoryMemberSchema,
    errors: ["MEMBER_NOT_FOUND", ...PASSWORD_RULES, "DEVELOPER_BUSY", "LOGINS_TOO_MANY"],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
