import { defineWords } from "../../../shared/words/words.ts";

/** The choice of a tenant. */
export const TENANT = defineWords("operator-tenant", {
  "en-US": {
    tenant: "Tenant",
    none: "No tenant found",
    noneYet: "No tenants yet",
    noneYetHint: "Members and groups belong to a tenant. Create one first.",
    toTenants: "To the tenants",
  },
  "zh-CN": {
    tenant: "组织",
    none: "没有找到组织",
    noneYet: "还没有组织",
    noneYetHint: "成员与群组属于某个组织，请先创建组织。",
    toTenants: "前往组织",
  },
});
