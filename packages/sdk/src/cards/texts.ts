import { type Component, component } from "./component.ts";

/** Text without markup. */
export function plainText(content: string): Component<"plain_text"> {
  return component("plain_text", { content });
}

/** Markdown text. */
export function markdown(content: string): Component<"markdown"> {
  return component("markdown", { content });
}

/** A remark in small print. */
export function note(content: string): Component<"note"> {
  return component("note", { content });
}

/** A horizontal rule. */
export function hr(): Component<"hr"> {
  return component("hr");
}
