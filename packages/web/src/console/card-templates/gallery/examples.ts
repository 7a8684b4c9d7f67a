import type { Locale } from "../../../shared/look/preferences.ts";
import type { KeysOf } from "../../../shared/words/words.ts";
import type { TEMPLATES } from "../words.ts";
import { approvalCard, formCard, pollCard } from "./asking-cards.ts";
import { onboardingCard, welcomeCard } from "./greeting-cards.ts";
import type { Pick } from "./parts.ts";
import { alertCard, releaseCard, reportCard } from "./telling-cards.ts";

/** A card to begin with. */
export interface Example {
  id: KeysOf<typeof TEMPLATES>;
  make: (pick: Pick) => object;
}

/** The cards to begin with; all are valid. */
export const EXAMPLES = [
  { id: "alert", make: alertCard },
  { id: "approval", make: approvalCard },
  { id: "report", make: reportCard },
  { id: "welcome", make: welcomeCard },
  { id: "form", make: formCard },
  { id: "poll", make: pollCard },
  { id: "onboarding", make: onboardingCard },
  { id: "release", make: releaseCard },
] as const satisfies readonly Example[];

/** An example in a language. */
export function exampleIn(locale: Locale, { make }: Example): object {
  return make((english, chinese) => (locale === "zh-CN" ? chinese : english));
}
