import { DirectoryMemberListSchema, DirectoryQuerySchema } from "@portico/protocol/schemas";
import { listMembers } from "../../../domain/directory/member-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/members, of the tenant that the header names. */
export const readMembers: ConsoleRoute<never, typeof DirectoryQuerySchema, typeof DirectoryMemberListSchema> = {
  method: "GET",
  url: "/operator/members",
  summary: "List a tenant's members",
  access: "operator",
  tenant: true,
  query: DirectoryQuerySchema,
  value: DirectoryMemberListSchema,
  async handle({ storage }, { query, tenantId }) {
    const { keyword = "", page = 1, pageSize = 20 } = query;
    const found = await listMembers(storage.lists, storage.dialect, tenantId, { keyword, page, pageSize });
    return { ...found, page, pageSize };
  },
};
