import { type Caption, type Component, component } from "./component.ts";
import { plainText } from "./texts.ts";

/**
 * The action of a button: open a URL, or send a `card.interaction` event with `name` and `value` to the app. A bot's
 * listeners are found by the name.
 */
export type ButtonAction =
  | { url: string; name?: never; value?: never }
  | { value?: unknown; name?: string; url?: never };

/** A button. */
export function button(text: string, action: ButtonAction): Component<"button"> {
  return component("button", { text: plainText(text), ...action });
}

/** A control whose result is reported under its name. */
export interface Control {
  name: string;
}

/** A text field. */
export interface Input extends Control {
  placeholder?: Caption;
}

/** An option of a select. */
export interface SelectOption {
  text: Caption;
  /** The value that is reported when this option is selected. */
  value: string;
}

/** A select. */
export interface Select extends Control {
  options: readonly SelectOption[];
  placeholder?: Caption;
}

/** A single-line text field. */
export function input(fields: Input): Component<"input"> {
  return component("input", { ...fields });
}

/** A multi-line text field. */
export function textarea(fields: Input): Component<"textarea"> {
  return component("textarea", { ...fields });
}

/** A checkbox. */
export function checkbox(fields: Control & { label: Caption }): Component<"checkbox"> {
  return component("checkbox", { ...fields });
}

/** A select for one option. */
export function selectStatic(fields: Select): Component<"select_static"> {
  return component("select_static", { ...fields });
}

/** A select for several options. */
export function multiSelectStatic(fields: Select): Component<"multi_select_static"> {
  return component("multi_select_static", { ...fields });
}
