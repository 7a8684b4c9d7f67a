import type { CardTag } from "@portico/protocol/cards";
import type { Schema } from "./openapi.ts";

const COMPONENT: Schema = { $ref: "#/components/schemas/CardComponent" };
/** A list of components. */
export const COMPONENTS: Schema = { type: "array", items: COMPONENT };

/** A text. */
export const string = (description: string, example: string): Schema => ({ type: "string", description, example });
/** An address that a card may link to. */
export const link = (description: string): Schema => ({
  type: "string",
  pattern: "^https?://",
  description,
  example: "https://ci.example.com/1234",
});
const flag = (description: string): Schema => ({ type: "boolean", description });
/** A text, or an object with one. */
export const caption = (description: string, example: string): Schema => ({
  anyOf: [{ type: "string" }, { $ref: "#/components/schemas/CardCaption" }],
  description,
  example,
});
const list = (items: Schema, description: string): Schema => ({ type: "array", items, description });

const NAME = string("Names the control in actions", "answer");
const VALUE: Schema = { description: "Comes back with the action, whatever it is", example: { build: 1234 } };
const DISABLED = flag("Cannot be used");
const OPTIONS = list({ $ref: "#/components/schemas/CardOption" }, "The choices");
const PLACEHOLDER = caption("Shown while nothing is chosen or entered", "Choose …");
const control = { name: NAME, value: VALUE, disabled: DISABLED };

/** A kind of component: the tags that mean it, and its fields. Nothing but the tag is required. */
export interface ComponentKind {
  tags: readonly CardTag[];
  description: string;
  properties: Record<string, Schema>;
}

/** The kinds of components, by the name of the model. What clients draw of each stands in docs/contract/cards.md. */
export const COMPONENT_KINDS: Readonly<Record<string, ComponentKind>> = {
  CardText: {
    tags: ["plain_text", "text"],
    description: "Text without markup",
    properties: { content: string("The text", "Build 1234 passed") },
  },
  CardMarkdown: {
    tags: ["markdown", "lark_md"],
    description: "Markdown",
    properties: { content: string("CommonMark with tables", "**main** is green again") },
  },
  CardTextTag: {
    tags: ["text_tag"],
    description: "A pill",
    properties: { text: caption("Its text", "passed"), color: string("A colour's name", "green") },
  },
  CardTextTagList: {
    tags: ["text_tag_list"],
    description: "Pills in a row",
    properties: { elements: COMPONENTS },
  },
  CardColumnSet: {
    tags: ["column_set"],
    description: "Columns side by side",
    properties: { columns: COMPONENTS, flex_mode: string("How columns give way on narrow screens", "stretch") },
  },
  CardContainer: {
    tags: ["column", "form", "interactive_container", "recycling_container"],
    description: "A container, drawn as it is: no submit, no link, no repetition",
    properties: { elements: COMPONENTS },
  },
  CardPanel: {
    tags: ["collapsible_panel"],
    description: "A part with a heading, always open",
    properties: { title: caption("The heading; else `header`", "Details"), elements: COMPONENTS },
  },
  CardDivider: { tags: ["hr", "divider"], description: "A line", properties: {} },
  CardImage: {
    tags: ["img", "image"],
    description: "A picture; one without `img_url` and `url` needs an `img_key`",
    properties: {
      img_key: string("An address, or the fileKey of an upload", "https://ci.example.com/graphs/1234.png"),
      img_url: link("The picture's address"),
      url: link("The same, where there is no `img_url`"),
      alt: caption("What the picture shows", "The duration of the last builds"),
      title: caption("Its title", "Durations"),
    },
  },
  CardImageCombination: {
    tags: ["img_combination"],
    description: "Several pictures",
    properties: {
      img_list: list({ type: "object", properties: { img_url: link("The picture's address") } }, "The pictures"),
    },
  },
  CardIcon: {
    tags: ["icon"],
    description: "An icon, drawn as its token",
    properties: { token: string("The icon's name", "bell_outlined") },
  },
  CardPerson: {
    tags: ["person"],
    description: "A person",
    properties: {
      name: string("The name; else `user_name`, else `user_id`", "Alice"),
      user_name: string("A username", "alice"),
      user_id: string("A userId", "u_alice"),
      avatar_url: link("The picture; else `avatar`"),
      avatar: link("The picture"),
    },
  },
  CardPersonList: {
    tags: ["person_list"],
    description: "Several persons",
    properties: {
      persons: list({ type: "object", properties: { name: string("The name", "Alice") } }, "The persons"),
    },
  },
  CardButton: {
    tags: ["button"],
    description: "A button: with `url` a link, without it an action",
    properties: {
      text: caption("Its caption", "Run again"),
      type: {
        type: "string",
        enum: ["default", "primary", "danger", "text", "primary_text", "danger_text"],
        description: "Its look",
      },
      url: link("Where it leads"),
      ...control,
    },
  },
  CardOverflow: {
    tags: ["overflow"],
    description: "A menu; a choice is an action",
    properties: { options: OPTIONS, ...control },
  },
  CardActions: {
    tags: ["action"],
    description: "A row of components",
    properties: { elements: COMPONENTS },
  },
  CardInput: {
    tags: ["input", "textarea"],
    description: "A field for a text, reported when it is committed",
    properties: {
      label: caption("Its label", "Reason"),
      placeholder: PLACEHOLDER,
      default_value: string("What it holds at first", "Flaky test"),
      max_length: { type: "integer", minimum: 1, description: "The most characters", example: 200 },
      required: flag("Marks the field"),
      ...control,
    },
  },
  CardToggle: {
    tags: ["checkbox", "radio"],
    description: "A box to check; of radios of one name one is checked",
    properties: { label: caption("Its caption", "Tell the team"), checked: flag("Checked at first"), ...control },
  },
  CardSelect: {
    tags: ["select_static", "select_person"],
    description: "A choice of one",
    properties: {
      placeholder: PLACEHOLDER,
      options: OPTIONS,
      initial_option: string("Chosen at first", "a"),
      ...control,
    },
  },
  CardTime: {
    tags: ["select_time", "date_picker", "picker_datetime"],
    description: "A date, a time or both",
    properties: {
      initial_date: string("Of a date_picker", "2026-11-22"),
      initial_time: string("Of a select_time", "18:30"),
      initial_datetime: string("Of a picker_datetime", "2026-11-22T18:30"),
      placeholder: PLACEHOLDER,
      ...control,
    },
  },
  CardMultiSelect: {
    tags: ["multi_select_static", "multi_select_person"],
    description: "A choice of several",
    properties: {
      placeholder: PLACEHOLDER,
      options: OPTIONS,
      selected_values: list(string("An option's value", "a"), "Chosen at first"),
      ...control,
    },
  },
  CardTable: {
    tags: ["table"],
    description: "A table",
    properties: {
      rows: {
        ...list({ type: "array", items: {} }, "Rows of cells; the first is the header"),
        example: [
          ["Test", "Error"],
          ["keeps a nonce", "timeout"],
        ],
      },
    },
  },
  CardChart: {
    tags: ["chart"],
    description: "Bars",
    properties: {
      title: caption("Its title", "Coverage"),
      data: {
        ...list(
          { type: "object", properties: { label: string("A name", "server"), value: { type: "number" } } },
          "The first 8 are drawn; values are held between 0 and 100",
        ),
        example: [{ label: "server", value: 92 }],
      },
    },
  },
  CardNote: {
    tags: ["note"],
    description: "A remark in small print",
    properties: { content: caption("The text; else `text`", "Sent by the build") },
  },
};
