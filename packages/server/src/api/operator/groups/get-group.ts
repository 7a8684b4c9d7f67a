import { GroupDetailSchema } from "@portico/protocol/schemas";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { readGroupDetail } from "./group-detail.ts";

/** GET operator/groups/{groupId}, of the tenant that the header names. */
export const readGroup: ConsoleRoute<never, never, typeof GroupDetailSchema> = {
  method: "GET",
  url: "/operator/groups/:groupId",
  summary: "Read a group with its members",
  access: "operator",
  tenant: true,
  value: GroupDetailSchema,
  handle: ({ storage }, { params, tenantId }) => readGroupDetail(storage.lists, tenantId, params.groupId ?? ""),
};
