import { type Caption, type Component, component } from "./component.ts";
import { plainText } from "./texts.ts";

/** What a button does: it opens an address, or sends a `card.interaction` event with `value` to the app. */
export type ButtonAction = { url: string; value?: never } | { value: unknown; url?: never };

/** A button. */
export function button(text: string, action: ButtonAction): Component<"button"> {
  return component("button", { text: plainText(text), ...action });
}

/** A control whose result is reported under its name. */
export interface Control {
  name: string;
}

/** A field to type into. */
export interface Input extends Control {
  placeholder?: Caption;
}

/** One of several things to choose from. */
export interface SelectOption {
  text: Caption;
  /** What is reported when it is chosen. */
  value: string;
}

/** A list to choose from. */
export interface Select extends Control {
  options: readonly SelectOption[];
  placeholder?: Caption;
}

/** A line of text to type. */
export function input(fields: Input): Component<"input"> {
  return component("input", { ...fields });
}

/** Several lines of text to type. */
export function textarea(fields: Input): Component<"textarea"> {
  return component("textarea", { ...fields });
}

/** A box to tick. */
export function checkbox(fields: Control & { label: Caption }): Component<"checkbox"> {
  return component("checkbox", { ...fields });
}

/** A list of which one can be chosen. */
export function selectStatic(fields: Select): Component<"select_static"> {
  return component("select_static", { ...fields });
}

/** A list of which several can be chosen. */
export function multiSelectStatic(fields: Select): Component<"multi_select_static"> {
  return component("multi_select_static", { ...fields });
}
