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

const speeches = new Map<Locale, Speech>();

/** The words and the format of a language; the same ones each time, since formats take long to make. */
export function speechIn(locale: Locale): Speech {
  const words = WORDS[locale];
  const speech = speeches.get(locale) ?? { words, format: formatIn(locale, words) };
  speeches.set(locale, speech);
  return speech;
}

export const SpeechContext = createContext(speechIn("en-US"));

/** The language that the visitor reads. */
export function useSpeech(): Speech {
  return useContext(SpeechContext);
}
