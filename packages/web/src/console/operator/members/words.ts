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
    kept: "Disable whoever has left. A row opens to their data, to export or erase it.",
    erasedMember: "Erased member",
    dataLead: "All that is stored about this member, for them to have or for you to remove.",
    eraseSignIns: "Every sign-in of this member ends at once, and the account can never be used again.",
    eraseMessages:
      "Their messages and files, and all of their conversations with bots, are emptied. What others wrote stays.",
    eraseName: "Name, user name, phone number and memberships are removed. The user name is free for somebody new.",
    unlinkWhat:
      "Whoever signs in there no longer becomes this member, and every sign-in of the account ends at once. A password that it has stays.",
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
    kept: "离职成员请停用。展开成员可导出或清除其数据。",
    erasedMember: "已清除的成员",
    dataLead: "该成员的全部存储数据，可导出交给本人，或予以清除。",
    eraseSignIns: "该成员立即退出所有登录，账号永久无法使用。",
    eraseMessages: "清空其发送的消息与文件，以及与机器人的全部会话；他人所写内容保留。",
    eraseName: "删除姓名、用户名、手机号与群组关系，用户名可分配给他人。",
    unlinkWhat: "在该平台登录的人将不再对应此成员，该账号的所有登录立即退出；已有的密码不受影响。",
  },
});
