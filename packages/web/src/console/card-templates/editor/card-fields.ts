import { CARD_TAGS } from "@portico/protocol/cards";

/** Values to choose from, or the JSON that a field begins with. */
export type FieldValue = { oneOf: readonly string[] } | { begin: string };

const COLORS = [
  "blue",
  "wathet",
  "turquoise",
  "green",
  "yellow",
  "orange",
  "red",
  "carmine",
  "violet",
  "purple",
  "indigo",
  "grey",
  "default",
];
const TEXT: FieldValue = { begin: '""' };
const CAPTION: FieldValue = { begin: '{ "tag": "plain_text", "content": "" }' };
const LIST: FieldValue = { begin: "[]" };
const OBJECT: FieldValue = { begin: "{}" };
const YES: FieldValue = { oneOf: ["true", "false"] };
const LINK: FieldValue = { begin: '"https://"' };
const COLOR: FieldValue = { oneOf: COLORS.map(quoted) };
const FORMATTED = {
  content: TEXT,
  text_align: { oneOf: ["left", "center", "right"].map(quoted) },
  text_size: { oneOf: ["heading", "normal", "notation"].map(quoted) },
  text_color: COLOR,
};
const FIELD = { name: TEXT, label: CAPTION, placeholder: CAPTION, required: YES, disabled: YES };
const CHOICE = { ...FIELD, options: LIST };
const PICTURE = {
  img_url: LINK,
  img_key: TEXT,
  alt: CAPTION,
  size: { oneOf: ["tiny", "small", "medium", "large"].map(quoted) },
};

type Fields = Readonly<Record<string, FieldValue>>;

/** What clients read of each component (docs/contract/cards.md#what-clients-draw). */
const FIELDS: Readonly<Record<string, Fields>> = {
  plain_text: FORMATTED,
  text: FORMATTED,
  markdown: FORMATTED,
  lark_md: FORMATTED,
  text_tag: { text: CAPTION, color: COLOR },
  text_tag_list: { elements: LIST },
  note: { content: TEXT },
  column_set: {
    columns: LIST,
    flex_mode: { oneOf: ["none", "stretch", "bisect", "trisect"].map(quoted) },
    background_style: COLOR,
  },
  column: {
    elements: LIST,
    width: { oneOf: ["auto", "weighted"].map(quoted) },
    weight: { begin: "1" },
    background_style: COLOR,
  },
  form: { name: TEXT, elements: LIST },
  interactive_container: { elements: LIST, has_border: YES, background_style: COLOR },
  collapsible_panel: { title: CAPTION, elements: LIST },
  recycling_container: { elements: LIST },
  action: { elements: LIST },
  img: PICTURE,
  image: PICTURE,
  img_combination: { img_list: LIST },
  icon: { token: TEXT },
  person: { name: TEXT, user_id: TEXT, avatar_url: LINK },
  person_list: { persons: LIST },
  button: {
    text: CAPTION,
    type: { oneOf: ["default", "primary", "danger", "text"].map(quoted) },
    url: LINK,
    value: OBJECT,
    name: TEXT,
    disabled: YES,
    width: { oneOf: ["default", "fill"].map(quoted) },
    hover_tips: CAPTION,
  },
  overflow: { options: LIST, value: OBJECT, name: TEXT },
  input: { ...FIELD, default_value: TEXT, max_length: { begin: "200" } },
  textarea: { ...FIELD, default_value: TEXT, max_length: { begin: "1000" } },
  checkbox: { name: TEXT, label: TEXT, checked: YES, value: TEXT },
  radio: { name: TEXT, label: TEXT, checked: YES, value: TEXT },
  select_static: { ...CHOICE, initial_option: TEXT },
  select_person: { ...CHOICE, initial_option: TEXT },
  select_time: { ...CHOICE, initial_time: TEXT },
  date_picker: { ...FIELD, initial_date: TEXT },
  picker_datetime: { ...FIELD, initial_datetime: TEXT },
  multi_select_static: { ...CHOICE, selected_values: LIST },
  multi_select_person: { ...CHOICE, selected_values: LIST },
  table: { rows: LIST },
  chart: { title: CAPTION, data: LIST },
};

/** What stands under keys that are no component's, by the path of keys that leads there. */
const PLACES: Readonly<Record<string, Fields>> = {
  "": {
    schema: { oneOf: ['"2.0"'] },
    header: OBJECT,
    config: OBJECT,
    card_link: OBJECT,
    body: { begin: '{ "elements": [] }' },
  },
  header: { title: CAPTION, subtitle: CAPTION, template: COLOR, icon: OBJECT, text_tag_list: LIST },
  "header.title": { content: TEXT, i18n: OBJECT },
  config: {
    width_mode: { oneOf: ["default", "compact", "fill"].map(quoted) },
    locales: { begin: '["zh_cn", "en_us"]' },
    summary: { begin: '{ "content": "" }' },
    horizontal_align: { oneOf: ['"center"'] },
  },
  card_link: { url: LINK },
  body: { elements: LIST },
  options: { text: CAPTION, value: TEXT },
  data: { label: TEXT, value: { begin: "0" } },
  persons: { name: TEXT, user_id: TEXT, avatar_url: LINK },
  img_list: { img_url: LINK, img_key: TEXT, alt: CAPTION },
};

const TAG: FieldValue = { oneOf: CARD_TAGS.map(quoted) };

/** The fields of an object: by its tag where it has one, else by the keys that lead to it. */
export function fieldsOf(tag: string | undefined, path: readonly string[]): Fields {
  if (tag !== undefined && Object.hasOwn(FIELDS, tag)) return { tag: TAG, ...FIELDS[tag] };
  for (const place of [path.join("."), path.at(-1) ?? ""]) {
    if (Object.hasOwn(PLACES, place)) return PLACES[place] ?? {};
  }
  return { tag: TAG };
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
