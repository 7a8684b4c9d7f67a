import { defineWords } from "../../shared/words/words.ts";

/** What the dialog of shortcuts says. */
export const SHORTCUT_WORDS = defineWords("shortcuts", {
  "en-US": {
    keyNext: "Next conversation",
    keyPrevious: "Previous conversation",
    keyOldest: "Open who has waited longest",
    keyAccept: "Accept",
    keyTransfer: "Transfer",
    keyClose: "Close conversation",
    keyNote: "Switch between reply and internal note",
    keyWrite: "Write",
    keySearch: "Search",
    keyOnline: "Go online or offline",
    keyCanned: "Find a canned reply, while writing",
    keyHelp: "Show these shortcuts",
    singleKeys: "The key ? alone shows these shortcuts",
    singleKeysHint: "Turn this off if you dictate. It is on again when the page is opened anew.",
  },
  "zh-CN": {
    keyNext: "下一个会话",
    keyPrevious: "上一个会话",
    keyOldest: "打开等待最久的会话",
    keyAccept: "接入",
    keyTransfer: "转接",
    keyClose: "结束会话",
    keyNote: "切换回复与内部备注",
    keyWrite: "输入消息",
    keySearch: "搜索",
    keyOnline: "切换在线状态",
    keyCanned: "输入时查找快捷回复",
    keyHelp: "显示快捷键",
    singleKeys: "单按 ? 键显示快捷键",
    singleKeysHint: "使用语音输入时可以关闭，重新打开页面后恢复。",
  },
});
