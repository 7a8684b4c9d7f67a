import type { AppState, AppType } from "@portico/protocol";
import { Pill, type Tone } from "../../shared/ui/pill.tsx";
import { useWords } from "../../shared/words/words.ts";
import { CONSOLE } from "../words.ts";

/** The words that say an application's type. */
export const APP_TYPE_WORDS = {
  BOT: "typeBot",
  CUSTOMER_SERVICE: "typeCustomerService",
  MINI_PROGRAM: "typeMiniProgram",
} as const satisfies Record<AppType, string>;

/** The words that say an application's state. */
export const APP_STATE_WORDS = {
  UNPUBLISHED: "statusUnpublished",
  IN_REVIEW: "statusInReview",
  ACTIVE: "statusActive",
  DISABLED: "statusDisabled",
} as const satisfies Record<AppState, string>;

const TONES: Record<AppState, Tone> = { UNPUBLISHED: "neutral", IN_REVIEW: "warn", ACTIVE: "good", DISABLED: "bad" };

/** An application's state, as a pill. */
export function AppStatus({ status }: { status: AppState }) {
  const say = useWords(CONSOLE);
  return <Pill tone={TONES[status]}>{say(APP_STATE_WORDS[status])}</Pill>;
}
