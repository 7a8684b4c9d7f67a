import { createContext, useContext } from "react";
import type { CardAction } from "./action.ts";
import { directPicture } from "./model/links.ts";
import type { CardMemory } from "./model/memory.ts";
import { type Words, wordsFor } from "./words.ts";

/** What the parts of one card share. */
export interface CardEnvironment {
  /** Distinguishes this card's radio groups from those of others. */
  id: string;
  words: Words;
  /** What the member has done in it. */
  memory: CardMemory;
  /** Nothing can be acted on. */
  disabled: boolean;
  /** The level of headings in Markdown, below that of the card's title. */
  headingLevel: 3 | 4;
  /** Takes an action to the bot; null where there is none. */
  act: ((action: CardAction) => Promise<void>) | null;
  /** Tells people who cannot see it how an action fares. */
  announce(text: string): void;
  /** Where a picture is fetched from. */
  pictureAddress(address: string): string;
}

const CardContext = createContext<CardEnvironment>({
  id: "",
  words: wordsFor("en-US"),
  memory: new Map(),
  disabled: true,
  headingLevel: 4,
  act: null,
  announce() {},
  pictureAddress: directPicture,
});

export const CardProvider = CardContext.Provider;

export function useCard(): CardEnvironment {
  return useContext(CardContext);
}
