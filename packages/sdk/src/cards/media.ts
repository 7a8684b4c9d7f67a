import { type Component, component } from "./component.ts";

/** The source of an image: the fileKey of an uploaded one, or an http:// or https:// URL. */
export type ImageSource = { img_key: string; img_url?: never } | { img_url: string; img_key?: never };

/** An image. */
export function img(source: ImageSource): Component<"img"> {
  return component("img", source);
}

/** A table: the header row, then the other rows, each an array of cells. */
export function table(
  header: readonly string[],
  ...rows: readonly (readonly (string | number)[])[]
): Component<"table"> {
  return component("table", { rows: [header, ...rows] });
}

/** One bar of a {@link chart}. */
export interface ChartEntry {
  label: string;
  /** From 0 to 100. */
  value: number;
}

/** A bar chart; the messenger draws the first eight bars. */
export function chart(...data: readonly ChartEntry[]): Component<"chart"> {
  return component("chart", { data });
}

/** A person, optionally with an avatar. */
export interface Person {
  name: string;
  /** An http:// or https:// URL. */
  avatar_url?: string;
}

/** A person. */
export function person(who: Person): Component<"person"> {
  return component("person", { ...who });
}

/** Several people. */
export function personList(...persons: readonly Person[]): Component<"person_list"> {
  return component("person_list", { persons });
}
