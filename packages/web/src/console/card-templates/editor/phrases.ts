import { EditorState, type Extension } from "@codemirror/state";
import type { Locale } from "../../../shared/look/preferences.ts";

/** What the editor's own parts say, by the English that they say it in. */
const CHINESE: Readonly<Record<string, string>> = {
  "Control character": "控制字符",
  "Selection deleted": "已删除所选内容",
  "Fold line": "折叠",
  "Unfold line": "展开",
  "Folded lines": "已折叠的行",
  "Unfolded lines": "已展开的行",
  "folded code": "已折叠的内容",
  unfold: "展开",
  to: "至",
  Completions: "补全",
  "Go to line": "跳转到行",
  go: "跳转",
  Find: "查找",
  Replace: "替换",
  next: "下一个",
  previous: "上一个",
  all: "全部",
  "match case": "区分大小写",
  regexp: "正则表达式",
  "by word": "全字匹配",
  replace: "替换",
  "replace all": "全部替换",
  close: "关闭",
  "current match": "当前匹配",
  "on line": "位于第几行",
  "replaced match on line $": "已替换第 $ 行的匹配",
  "replaced $ matches": "已替换 $ 处",
  Diagnostics: "问题",
  "No diagnostics": "没有问题",
  "$ unchanged lines": "$ 行未变",
};

/** Has the editor's own parts speak a language. */
export function phrasesIn(locale: Locale): Extension {
  return EditorState.phrases.of(locale === "zh-CN" ? CHINESE : {});
}
