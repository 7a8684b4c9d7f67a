import { type Component, component } from "./component.ts";

/** Where a picture is: the fileKey of one that was uploaded, or an address that begins with http:// or https://. */
export type ImageSource = { img_key: string; img_url?: never } | { img_url: string; img_key?: never };

/** A picture. */
export function img(source: ImageSource): Component<"img"> {
  return component("img", source);
}

/** A table: its header, then its rows, cell by cell. */
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

/** Bars; the messenger draws the first eight. */
export function chart(...data: readonly ChartEntry[]): Component<"chart"> {
  return component("chart", { data });
}

/** Someone, with a picture if there is one. */
export interface Person {
  name: string;
  /** Address of a picture, beginning with http:// or https://. */
  avatar_url?: string;
}

/** A person. */
export function person(who: Person): Component<"person"> {
  return component("person", { ...who });
}

/** Several persons. */
export function personList(...persons: readonly Person[]): Component<"person_list"> {
  return component("person_list", { persons });
}
