import { type Caption, type Component, component } from "./component.ts";

/** Columns side by side. */
export function columnSet(...columns: readonly Component<"column">[]): Component<"column_set"> {
  return component("column_set", { columns });
}

/** A column of a {@link columnSet}, with its components below each other. */
export function column(...elements: readonly Component[]): Component<"column"> {
  return component("column", { elements });
}

/** A form: a group of controls that are submitted together. */
export function form(...elements: readonly Component[]): Component<"form"> {
  return component("form", { elements });
}

/** Components in a frame. */
export function interactiveContainer(...elements: readonly Component[]): Component<"interactive_container"> {
  return component("interactive_container", { elements });
}

/** Components under a title. */
export function collapsiblePanel(title: Caption, ...elements: readonly Component[]): Component<"collapsible_panel"> {
  return component("collapsible_panel", { title, elements });
}
