import type { Card } from "@portico/sdk";

/** A card with a bit of everything that is common. */
export const REPORT_CARD: Card = {
  schema: "2.0",
  header: {
    template: "blue",
    title: { content: "Weekly report" },
    subtitle: { content: "Calendar week 47" },
    text_tag_list: [{ tag: "text_tag", text: { content: "on track" }, color: "green" }],
  },
  body: {
    elements: [
      { tag: "markdown", content: "**1,284** calls a minute at the peak, [all figures](https://status.example.com)." },
      {
        tag: "column_set",
        columns: [
          { tag: "column", elements: [{ tag: "markdown", content: "**Calls**\n8.2 million" }] },
          { tag: "column", elements: [{ tag: "markdown", content: "**Errors**\n0.02 %" }] },
          { tag: "column", elements: [{ tag: "markdown", content: "**p99**\n14 ms" }] },
        ],
      },
      { tag: "hr" },
      {
        tag: "table",
        rows: [
          ["Service", "Calls", "State"],
          ["Send", "6,120,400", "good"],
          ["Update", "1,840,210", "good"],
          ["Upload", "239,300", "slow"],
        ],
      },
      {
        tag: "chart",
        data: [
          { label: "Mon", value: 62 },
          { label: "Tue", value: 71 },
          { label: "Wed", value: 94 },
          { label: "Thu", value: 88 },
          { label: "Fri", value: 67 },
        ],
      },
      {
        tag: "select_static",
        placeholder: { content: "Who looks into it" },
        options: [
          { text: "Alice", value: "a" },
          { text: "Bob", value: "b" },
        ],
      },
      { tag: "button", type: "primary", text: { content: "Acknowledge" }, value: { ack: 47 } },
      { tag: "button", text: { content: "Open the board" }, url: "https://status.example.com" },
      { tag: "note", content: "Sent by the demo bot" },
    ],
  },
};
