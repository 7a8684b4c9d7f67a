import type { CardTag } from "@portico/protocol";

/** A component of cards, as JSON. */
export type Sample = { tag: CardTag } & Readonly<Record<string, unknown>>;

/** The parts of the gallery, by their word in the gallery's words. */
export const GROUPS = ["texts", "containers", "controls", "pictures", "data"] as const;
export type SampleGroup = (typeof GROUPS)[number];

/** Of the service itself, so that a picture is there wherever it runs. */
const PICTURE = "/assets/portico.svg";

/**
 * A component of each tag, with what is usual in it.
 *
 * @param origin the service's own, for the addresses of pictures.
 */
export function samples(origin: string): Readonly<Record<SampleGroup, readonly Sample[]>> {
  const picture = `${origin}${PICTURE}`;
  return { texts: TEXTS, containers: CONTAINERS, controls: CONTROLS, pictures: pictures(picture), data: DATA };
}

const TEXTS: readonly Sample[] = [
  { tag: "plain_text", content: "Text as it stands: **no** marks." },
  { tag: "text", content: "The same as plain_text." },
  { tag: "markdown", content: "**Bold**, `code`, <font color='red'>red</font>, a [link](https://example.com)" },
  { tag: "lark_md", content: "The same as *markdown*." },
  { tag: "text_tag", text: plain("passed"), color: "green" },
  {
    tag: "text_tag_list",
    elements: [
      { tag: "text_tag", text: plain("main"), color: "blue" },
      { tag: "text_tag", text: plain("urgent"), color: "orange" },
    ],
  },
  { tag: "note", content: "A remark in small print" },
  { tag: "icon", token: "calendar_outlined" },
  { tag: "hr" },
  { tag: "divider" },
];

const CONTAINERS: readonly Sample[] = [
  {
    tag: "column_set",
    columns: [
      { tag: "column", elements: [text("Author\nAlice")] },
      { tag: "column", elements: [text("Duration\n4 min 12 s")] },
    ],
  },
  { tag: "column", elements: [text("One column"), text("its parts below each other")] },
  { tag: "form", elements: [{ tag: "input", name: "reason", label: "Reason" }, button("Ask", "ask")] },
  { tag: "interactive_container", has_border: true, elements: [text("**Framed**"), text("within a frame")] },
  { tag: "collapsible_panel", title: "Details", elements: [text("2 of 1,204 tests failed.")] },
  { tag: "recycling_container", elements: [text("first"), text("second")] },
  { tag: "action", elements: [button("Yes", "yes"), button("No", "no")] },
];

const CONTROLS: readonly Sample[] = [
  { tag: "button", text: plain("Run again"), type: "primary", name: "rerun", value: { build: 128 } },
  { tag: "overflow", name: "more", options: [option("Mute for an hour", "mute"), option("Give to Bob", "bob")] },
  { tag: "input", name: "reason", label: "Reason", placeholder: plain("In a few words") },
  { tag: "textarea", name: "note", label: "Note", placeholder: plain("As long as needed") },
  { tag: "checkbox", name: "agreed", label: "I have asked the team" },
  { tag: "radio", name: "pay", label: "Paid", value: "paid" },
  {
    tag: "select_static",
    name: "kind",
    label: "Kind",
    options: [option("Holiday", "holiday"), option("Sick", "sick")],
  },
  { tag: "select_person", name: "deputy", label: "Deputy", options: people() },
  {
    tag: "multi_select_static",
    name: "days",
    label: "Days",
    options: [option("Monday", "mo"), option("Friday", "fr")],
  },
  { tag: "multi_select_person", name: "tell", label: "Tell", options: people() },
  { tag: "date_picker", name: "from", label: "From" },
  { tag: "picker_datetime", name: "until", label: "Until" },
  { tag: "select_time", name: "at", label: "At" },
];

const DATA: readonly Sample[] = [
  {
    tag: "table",
    rows: [
      ["Test", "Error", "ms"],
      ["keeps a nonce", "timeout", 5000],
      ["sends a card", "409", 12],
    ],
  },
  {
    tag: "chart",
    title: "Done, in percent",
    data: [
      { label: "Server", value: 82 },
      { label: "Web", value: 64 },
    ],
  },
];

function pictures(picture: string): readonly Sample[] {
  return [
    { tag: "img", img_url: picture, alt: "The sign of Portico" },
    { tag: "image", url: picture, alt: "The sign of Portico" },
    { tag: "img_combination", img_list: [{ img_url: picture }, { img_url: picture }, { img_url: picture }] },
    { tag: "person", name: "Alice", avatar_url: picture },
    { tag: "person_list", persons: [{ name: "Alice Chen" }, { name: "王小明" }, { name: "Bob" }] },
  ];
}

function plain(content: string): object {
  return { tag: "plain_text", content };
}

function text(content: string): object {
  return { tag: "markdown", content };
}

function button(caption: string, name: string): object {
  return { tag: "button", text: plain(caption), name };
}

function option(caption: string, value: string): object {
  return { text: plain(caption), value };
}

function people(): readonly object[] {
  return [option("Alice", "u_alice"), option("Bob", "u_bob")];
}
