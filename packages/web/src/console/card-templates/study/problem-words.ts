import { englishOf } from "@portico/protocol/errors";
import type { Locale } from "../../../shared/look/preferences.ts";
import type { KeysOf, Say } from "../../../shared/words/words.ts";
import type { Problem } from "./study-card.ts";
import { type PROBLEMS, REASONS, RULE_HINTS } from "./words.ts";

/** A problem in words: what is wrong, and what to do. */
export interface ProblemInWords {
  what: string;
  todo: string;
}

/** Says a problem in the person's language: the service says rules in Chinese, and `protocol` knows them in English. */
export function problemInWords(problem: Problem, say: Say<KeysOf<typeof PROBLEMS>>, locale: Locale): ProblemInWords {
  if (problem.kind === "syntax") return { what: say("notJson"), todo: say(REASONS[problem.reason]) };
  if (problem.kind === "inexact") return { what: say("inexact", { source: problem.source }), todo: say("inexactDo") };
  const { message, suggestion, rule } = problem.finding;
  if (locale === "zh-CN") return { what: message, todo: say(RULE_HINTS[rule]) };
  return { what: englishOf({ message, code: CARD_REFUSED }) ?? message, todo: suggestion };
}

/** The code of a card that breaks a rule (docs/contract/errors.md). */
const CARD_REFUSED = "400006";
