/** The only supported card schema (docs/contract/cards.md). */
export const CARD_SCHEMA = "2.0";

/** The allowed tags (docs/contract/cards.md#what-is-checked). */
export const CARD_TAGS = [
  "plain_text",
  "text",
  "markdown",
  "lark_md",
  "text_tag",
  "text_tag_list",
  "column_set",
  "column",
  "form",
  "interactive_container",
  "collapsible_panel",
  "recycling_container",
  "hr",
  "divider",
  "img",
  "image",
  "img_combination",
  "icon",
  "person",
  "person_list",
  "button",
  "overflow",
  "action",
  "input",
  "textarea",
  "checkbox",
  "radio",
  "select_static",
  "select_person",
  "select_time",
  "date_picker",
  "picker_datetime",
  "multi_select_static",
  "multi_select_person",
  "table",
  "chart",
  "note",
] as const;
export type CardTag = (typeof CARD_TAGS)[number];

/** The tags whose `img_key` is resolved (element rule 6). */
export const CARD_IMAGE_TAGS = ["img", "image"] as const satisfies readonly CardTag[];

/** The fields that can hold children; the first present one does (element rule 4). */
export const CARD_CHILD_FIELDS = ["elements", "columns", "children", "actions"] as const;
export type CardChildField = (typeof CARD_CHILD_FIELDS)[number];

/** The fields of a component that are links, in addition to the `url` of its `action` object (element rule 5). */
export const CARD_LINK_FIELDS = ["url", "img_url", "src"] as const;

/** Limits of a card (docs/contract/limits.md). */
export const CARD_LIMITS = {
  /** Of the card's compact JSON in UTF-8. */
  jsonBytes: 64 * 1024,
  /** All components, including containers and their content. */
  components: 200,
  /** Nested arrays of components; `body.elements` is level 1. */
  levels: 9,
} as const;

/**
 * The rules that a card itself can break, with their messages (docs/contract/cards.md#what-is-checked). The message of
 * `component-tag` is followed by the tag.
 */
export const CARD_MESSAGES = {
  schema: "仅支持schema为2.0的卡片",
  body: "card.body不能为空",
  "body-elements": "card.body.elements必须为数组",
  "component-object": "卡片组件必须为对象",
  "component-tag": "不支持的卡片组件: ",
  "component-count": "卡片组件不能超过200个",
  link: "卡片链接仅支持HTTP/HTTPS地址",
  "child-array": "卡片组件必须为对象",
  depth: "卡片组件嵌套层级不能超过8",
  size: "卡片JSON不能超过64KiB",
  "image-key": "card image img_key不能为空",
} as const;

/** Stable name of a rule of {@link CARD_MESSAGES}. */
export type CardRule = keyof typeof CARD_MESSAGES;
