import { defineWords } from "../../../shared/words/words.ts";

/** The groups of a tenant. */
export const GROUPS = defineWords("operator-groups", {
  "en-US": {
    lead: "Conversations of several members and bots. A row opens to who is in it.",
    search: "Search by name or ID",
    newGroup: "New group",
    rename: "Rename",
    renameTitle: "Rename {{name}}",
    none: "No groups yet",
    noneHint: "Begin with “New group” above, then add its members.",
    nobody: "Nobody is in this group yet",
    nobodyHint: "Choose members above and add them.",
    toAdd: "Members to add",
    toAddHint: "Search by name or account",
    noneToAdd: "No member found",
    add: "Add",
    remove: "Remove",
    removeNamed: "Remove {{name}}",
  },
  "zh-CN": {
    lead: "多名成员与机器人的会话；展开一行可查看群成员。",
    search: "按名称或 ID 搜索",
    newGroup: "新建群组",
    rename: "重命名",
    renameTitle: "重命名“{{name}}”",
    none: "还没有群组",
    noneHint: "点击上方“新建群组”，然后添加成员。",
    nobody: "群组中还没有成员",
    nobodyHint: "请在上方选择成员并添加。",
    toAdd: "待添加的成员",
    toAddHint: "按姓名或账号搜索",
    noneToAdd: "没有找到成员",
    add: "添加",
    remove: "移出",
    removeNamed: "移出{{name}}",
  },
});
