import { findingInWords, type ProblemInWords } from "../../../shared/cards/finding-words.ts";
import type { Locale } from "../../../shared/look/preferences.ts";
import type { KeysOf, Say } from "../../../shared/words/words.ts";
import type { Problem } from "./study-card.ts";
import { type PROBLEMS, REASONS } from "./words.ts";

/** Says a problem in the person's language. */
export function problemInWords(problem: Problem, say: Say<KeysOf<typeof PROBLEMS>>, locale: Locale): ProblemInWords {
  if (problem.kind === "syntax") return { what: say("notJson"), todo: say(REASONS[problem.reason]) };
  return findingInWords(problem.finding, locale);
}
