import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Locale } from "../common/messages.ts";
import { type Format, formatIn } from "./format.ts";
import { WORDS, type Words } from "./words.ts";

/** What every part of the frame says, and how it writes times. */
export interface Speech {
  words: Words;
  format: Format;
}

/** The words and the format of a language. */
export function speechIn(locale: Locale): Speech {
  const words = WORDS[locale];
  return { words, format: formatIn(locale, words) };
}

export const SpeechContext = createContext(speechIn("en-US"));

/** The language that the visitor reads. */
export function useSpeech(): Speech {
  return useContext(SpeechContext);
}
