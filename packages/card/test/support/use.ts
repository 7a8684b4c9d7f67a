import { act } from "react";

/** Does what a person does, and lets React take note of it. */
export async function press(element: Element | null | undefined): Promise<void> {
  await act(async () => control(element).click());
}

/** Writes into a field, as far as the page sees it: the value changes, and an event says so. */
export async function write(element: Element | null | undefined, text: string): Promise<void> {
  const field = control(element);
  // React looks at what it set itself; only the prototype's setter changes the value behind its back.
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;
  await act(async () => {
    setter?.call(field, text);
    field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
  });
}

/** Presses a key in a field. */
export async function key(
  element: Element | null | undefined,
  name: string,
  more: KeyboardEventInit = {},
): Promise<void> {
  await act(async () => {
    control(element).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, ...more }));
  });
}

/** Leaves a field. */
export async function leave(element: Element | null | undefined): Promise<void> {
  await act(async () => {
    control(element).dispatchEvent(new Event("focusout", { bubbles: true }));
  });
}

function control(element: Element | null | undefined): HTMLElement {
  if (!(element instanceof HTMLElement)) throw new Error("there is no such control");
  return element;
}

/** Chooses the option with this text. */
export async function choose(element: Element | null | undefined, text: string): Promise<void> {
  const option = [...control(element).querySelectorAll("option")].find(({ textContent }) => textContent === text);
  if (option === undefined) throw new Error(`there is no option ${text}`);
  await write(element, option.value);
}
