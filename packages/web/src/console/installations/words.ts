import type { Installation } from "@portico/protocol";
import { defineWords } from "../../shared/words/words.ts";

/** Where a bot is installed. */
export const INSTALLATIONS = defineWords("installations", {
  "en-US": {
    lead: "A bot writes only where it is installed. Its receiveId there is what a message is sent to.",
    notBot: "Only bots are installed",
    notBotHint: "Applications of this type are not part of conversations.",
    notActive: "It can be installed once the review has approved it.",
    allTypes: "Groups and members",
    allStates: "All states",
    targetType: "Kind",
    group: "Group",
    user: "Member",
    state: "State",
    installed: "Installed",
    uninstalled: "Uninstalled",
    name: "Name",
    installedAt: "Installed at",
    none: "Installed nowhere yet",
    noneHint: "Install it for a member below. Members add it to their groups in the messenger.",
    noneFound: "Nothing matches",
    noneFoundHint: "There is no installation of this kind and state.",
    installTitle: "For a member",
    installLead: "The bot appears in the member’s messenger at once. Groups add it themselves, in the messenger.",
    install: "Install",
    uninstall: "Uninstall",
    uninstallTitle: "Uninstall from {{name}}?",
    uninstallWhat:
      "From now on what the bot sends there is refused. What was written stays readable, and it can be installed again.",
  },
  "zh-CN": {
    lead: "机器人只能在已安装的会话中发消息，receiveId 即发送目标。",
    notBot: "仅机器人可安装",
    notBotHint: "该类型的应用不参与会话。",
    notActive: "审核通过后才能安装。",
    allTypes: "群聊与成员",
    allStates: "全部状态",
    targetType: "对象",
    group: "群聊",
    user: "成员",
    state: "状态",
    installed: "已安装",
    uninstalled: "已卸载",
    name: "名称",
    installedAt: "安装时间",
    none: "尚未安装",
    noneHint: "可在下方为成员安装；群聊由群成员在客户端添加。",
    noneFound: "没有符合条件的记录",
    noneFoundHint: "请放宽筛选条件。",
    installTitle: "为成员安装",
    installLead: "安装后机器人会立即出现在成员的客户端；群聊请由群成员自行添加。",
    install: "安装",
    uninstall: "卸载",
    uninstallTitle: "从“{{name}}”卸载？",
    uninstallWhat: "卸载后机器人将无法在此发消息，历史消息仍可查看，之后可重新安装。",
  },
});

/** The words of what a bot may be installed to. */
export const TARGET_TYPE_WORDS = { GROUP: "group", USER: "user" } as const satisfies Record<
  Installation["targetType"],
  string
>;

/** The words of an installation's state. */
export const INSTALLATION_STATE_WORDS = {
  ACTIVE: "installed",
  UNINSTALLED: "uninstalled",
} as const satisfies Record<Installation["status"], string>;
