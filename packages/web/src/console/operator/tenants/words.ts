import { defineWords } from "../../../shared/words/words.ts";

/** The enterprises that the platform serves. */
export const TENANTS = defineWords("operator-tenants", {
  "en-US": {
    lead: "The organisations whose people use the messenger. Members, groups and applications belong to one each.",
    search: "Search by name or ID",
    people: "People",
    newTenant: "New tenant",
    rename: "Rename",
    renameTitle: "Rename {{name}}",
    none: "No tenants yet",
    noneHint: "A tenant is an organisation with its members. Begin with “New tenant” above.",
  },
  "zh-CN": {
    lead: "使用消息端的组织；成员、群组与应用均归属其中之一。",
    search: "按名称或 ID 搜索",
    people: "人员",
    newTenant: "新建组织",
    rename: "重命名",
    renameTitle: "重命名“{{name}}”",
    none: "还没有组织",
    noneHint: "组织包含其全部成员。点击上方“新建组织”开始。",
  },
});
