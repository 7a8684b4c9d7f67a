import { defineWords } from "../../../shared/words/words.ts";

/** The members of a tenant. */
export const TENANT_MEMBERS = defineWords("operator-members", {
  "en-US": {
    lead: "Who uses the messenger in this organisation.",
    search: "Search by name, account or phone",
    newMember: "New member",
    import: "Import",
    username: "User name",
    editTitle: "Edit {{name}}",
    none: "No members yet",
    noneHint: "Add one with “New member”, or many from a CSV file with “Import”.",
    kept: "Members are never removed, as messages speak of them: disable whoever has left.",
  },
  "zh-CN": {
    lead: "该组织中使用消息端的人员。",
    search: "按姓名、账号或手机号搜索",
    newMember: "新建成员",
    import: "导入",
    username: "用户名",
    editTitle: "编辑“{{name}}”",
    none: "还没有成员",
    noneHint: "点击“新建成员”逐个添加，或用“导入”从 CSV 文件批量添加。",
    kept: "消息记录会引用成员，因此成员不可删除；离职成员请停用。",
  },
});
