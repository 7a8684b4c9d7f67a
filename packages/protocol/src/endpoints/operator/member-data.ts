import {
  IdentityListSchema,
  MemberErasureSchema,
  MemberExportBodySchema,
  MemberExportSchema,
} from "../../schemas/index.ts";
import { type ConsoleEndpoint, NO_CONTENT } from "../console-endpoint.ts";

/** What is known of one member: who they are to their provider, all that is stored about them, and its erasure. */
export const OPERATOR_MEMBER_DATA_ENDPOINTS = {
  listMemberIdentities: {
    method: "GET",
    path: "/api/open/console/v1/operator/tenants/:tenantId/members/:userId/identities",
    summary: "List who a member is to the providers with which they sign in",
    access: "operator",
    value: IdentityListSchema,
    errors: ["MEMBER_NOT_FOUND"],
  },
  unlinkMemberIdentity: {
    method: "DELETE",
    path: "/api/open/console/v1/operator/tenants/:tenantId/members/:userId/identities/:identityId",
    summary: "Part a member from somebody at a provider, and end all their sign-ins",
    access: "operator",
    value: NO_CONTENT,
    errors: ["MEMBER_NOT_FOUND", "IDENTITY_NOT_FOUND"],
  },
  exportMember: {
    method: "POST",
    path: "/api/open/console/v1/operator/tenants/:tenantId/members/:userId/export",
    summary: "Read all that is stored about a member, a page at a time",
    access: "operator",
    body: MemberExportBodySchema,
    value: MemberExportSchema,
    errors: ["MEMBER_NOT_FOUND", "CURSOR_INVALID"],
  },
  eraseMember: {
    method: "POST",
    path: "/api/open/console/v1/operator/tenants/:tenantId/members/:userId/erase",
    summary: "Erase a member: shut them out for good, and begin to remove what they have left",
    access: "operator",
    value: MemberErasureSchema,
    errors: ["MEMBER_NOT_FOUND"],
  },
  getMemberErasure: {
    method: "GET",
    path: "/api/open/console/v1/operator/tenants/:tenantId/members/:userId/erasure",
    summary: "Read how far the erasure of a member is, and what it has erased",
    access: "operator",
    value: MemberErasureSchema,
    errors: ["MEMBER_NOT_FOUND", "MEMBER_NOT_ERASED"],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
