import "./document.ts";
import type { TestContext } from "node:test";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { CardView, type CardViewProps } from "../../src/index.ts";
import { cardOf } from "./cards.ts";

/** A card in a document. */
export interface RenderedCard {
  root: HTMLElement;
  /** What components have thrown. */
  faults: unknown[];
  /** The elements of the components with this tag. */
  all(tag: string): HTMLElement[];
  /** The only one. */
  one(tag: string): HTMLElement;
  /** Draws another card in its place, as an update does. */
  update(card: unknown, props?: Partial<CardViewProps>): Promise<void>;
  /** Takes it away before the test ends. */
  unmount(): Promise<void>;
}

/** Draws a card of these elements, until the test ends. */
export function renderElements(
  t: TestContext,
  elements: unknown[],
  props?: Partial<CardViewProps>,
): Promise<RenderedCard> {
  return renderCard(t, cardOf(...elements), props);
}

/** Draws a card, until the test ends. */
export async function renderCard(
  t: TestContext,
  card: unknown,
  props: Partial<CardViewProps> = {},
): Promise<RenderedCard> {
  const root = document.createElement("div");
  document.body.append(root);
  const faults: unknown[] = [];
  const reactRoot = createRoot(root, {
    onCaughtError: (error) => faults.push(error),
    onUncaughtError: (error) => faults.push(error),
  });
  const unmount = async () => {
    await act(async () => reactRoot.unmount());
    root.remove();
  };
  t.after(unmount);
  const update = async (next: unknown, changed: Partial<CardViewProps> = {}) => {
    const all: CardViewProps = { messageId: 7, locale: "en-US", ...props, ...changed, card: next };
    await act(async () => reactRoot.render(createElement(CardView, all)));
  };
  await update(card);
  const all = (tag: string) => [...root.querySelectorAll<HTMLElement>(`[data-tag="${tag}"]`)];
  return {
    root,
    faults,
    all,
    one(tag) {
      const [first, ...others] = all(tag);
      if (first === undefined || others.length > 0) throw new Error(`${others.length + (first ? 1 : 0)} of ${tag}`);
      return first;
    },
    update,
    unmount,
  };
}
