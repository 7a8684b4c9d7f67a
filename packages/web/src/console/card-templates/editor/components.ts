import type { CardTag } from "@portico/protocol/cards";
import type { Locale } from "../../../shared/look/preferences.ts";
import type { KeysOf } from "../../../shared/words/words.ts";
import type { EDITOR } from "./words.ts";

type Word = KeysOf<typeof EDITOR>;
type Pick = (english: string, chinese: string) => string;

/** A component that can be put into a card. */
export interface PaletteEntry {
  tag: CardTag;
  word: Word;
  /** The component with texts of a language. */
  make: (pick: Pick) => object;
}

/** Components that belong together. */
export interface PaletteGroup {
  word: Word;
  entries: readonly PaletteEntry[];
}

/** A text as captions are written. */
function plain(content: string): object {
  return { tag: "plain_text", content };
}

function options(pick: Pick): object[] {
  return [
    { text: plain(pick("First", "选项一")), value: "1" },
    { text: plain(pick("Second", "选项二")), value: "2" },
  ];
}

function column(content: string): object {
  return { tag: "column", width: "weighted", weight: 1, elements: [{ tag: "markdown", content }] };
}

const choose = (pick: Pick): object => plain(pick("Choose", "请选择"));

/** What can be put into a card, with an example of each. */
export const PALETTE: readonly PaletteGroup[] = [
  {
    word: "groupText",
    entries: [
      {
        tag: "markdown",
        word: "markdown",
        make: (p) => ({
          tag: "markdown",
          content: p("**Bold**, [link](https://example.com), `code`", "**加粗**、[链接](https://example.com)、`代码`"),
        }),
      },
      { tag: "plain_text", word: "plainText", make: (p) => plain(p("Text without markup", "纯文本")) },
      {
        tag: "text_tag",
        word: "textTag",
        make: (p) => ({ tag: "text_tag", text: plain(p("New", "新")), color: "blue" }),
      },
      { tag: "note", word: "note", make: (p) => ({ tag: "note", content: p("A remark in small print", "补充说明") }) },
      { tag: "hr", word: "line", make: () => ({ tag: "hr" }) },
    ],
  },
  {
    word: "groupLayout",
    entries: [
      {
        tag: "column_set",
        word: "columns",
        make: (p) => ({
          tag: "column_set",
          columns: [column(p("**Left**", "**左**")), column(p("**Right**", "**右**"))],
        }),
      },
      {
        tag: "interactive_container",
        word: "frame",
        make: () => ({ tag: "interactive_container", has_border: true, elements: [] }),
      },
      {
        tag: "collapsible_panel",
        word: "panel",
        make: (p) => ({ tag: "collapsible_panel", title: plain(p("Details", "详情")), elements: [] }),
      },
      {
        tag: "action",
        word: "buttonRow",
        make: (p) => ({
          tag: "action",
          elements: [button(p("Agree", "同意"), "primary", "agree"), button(p("Decline", "拒绝"), "danger", "decline")],
        }),
      },
      { tag: "form", word: "form", make: () => ({ tag: "form", name: "form", elements: [] }) },
    ],
  },
  {
    word: "groupMedia",
    entries: [
      {
        tag: "img",
        word: "picture",
        make: (p) => ({
          tag: "img",
          img_url: "https://example.com/picture.png",
          alt: plain(p("What it shows", "图片说明")),
        }),
      },
      {
        tag: "img_combination",
        word: "pictures",
        make: () => ({
          tag: "img_combination",
          img_list: [{ img_url: "https://example.com/1.png" }, { img_url: "https://example.com/2.png" }],
        }),
      },
      { tag: "person", word: "person", make: (p) => ({ tag: "person", name: p("Alice", "小李") }) },
      {
        tag: "person_list",
        word: "persons",
        make: (p) => ({ tag: "person_list", persons: [{ name: p("Alice", "小李") }, { name: p("Bob", "小王") }] }),
      },
    ],
  },
  {
    word: "groupInput",
    entries: [
      { tag: "button", word: "button", make: (p) => button(p("Run again", "重新执行"), "primary", "run") },
      {
        tag: "button",
        word: "linkButton",
        make: (p) => ({ tag: "button", text: plain(p("Open", "打开")), url: "https://example.com/" }),
      },
      {
        tag: "input",
        word: "input",
        make: (p) => ({
          tag: "input",
          name: "reason",
          label: plain(p("Reason", "原因")),
          placeholder: plain(p("In a sentence", "请简要说明")),
        }),
      },
      {
        tag: "textarea",
        word: "textarea",
        make: (p) => ({ tag: "textarea", name: "comment", label: plain(p("Comment", "备注")) }),
      },
      {
        tag: "select_static",
        word: "select",
        make: (p) => ({ tag: "select_static", name: "choice", placeholder: choose(p), options: options(p) }),
      },
      {
        tag: "multi_select_static",
        word: "multiSelect",
        make: (p) => ({ tag: "multi_select_static", name: "choices", placeholder: choose(p), options: options(p) }),
      },
      {
        tag: "checkbox",
        word: "checkbox",
        make: (p) => ({ tag: "checkbox", name: "done", label: p("Done", "已完成") }),
      },
      {
        tag: "radio",
        word: "radio",
        make: (p) => ({ tag: "radio", name: "answer", label: p("Yes", "是"), value: "yes" }),
      },
      {
        tag: "date_picker",
        word: "date",
        make: (p) => ({ tag: "date_picker", name: "date", label: plain(p("Date", "日期")) }),
      },
      {
        tag: "picker_datetime",
        word: "dateTime",
        make: (p) => ({ tag: "picker_datetime", name: "time", label: plain(p("Date and time", "日期和时间")) }),
      },
      { tag: "overflow", word: "overflow", make: (p) => ({ tag: "overflow", name: "more", options: options(p) }) },
    ],
  },
  {
    word: "groupData",
    entries: [
      {
        tag: "table",
        word: "table",
        make: (p) => ({
          tag: "table",
          rows: [
            [p("Name", "名称"), p("Value", "数值")],
            [p("First", "第一项"), "12"],
            [p("Second", "第二项"), "34"],
          ],
        }),
      },
      {
        tag: "chart",
        word: "chart",
        make: (p) => ({
          tag: "chart",
          title: plain(p("Done, in percent", "完成率（%）")),
          data: [
            { label: p("Plan", "规划"), value: 90 },
            { label: p("Build", "开发"), value: 60 },
          ],
        }),
      },
    ],
  },
];

function button(caption: string, type: string, action: string): object {
  return { tag: "button", name: action, text: plain(caption), type, value: { action } };
}

/** A component with texts of a language. */
export function componentIn(locale: Locale, { make }: PaletteEntry): object {
  return make((english, chinese) => (locale === "zh-CN" ? chinese : english));
}
