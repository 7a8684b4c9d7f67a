import { ApiRefusedError, ConsoleRefusedError, TransportError } from "@portico/protocol/client";
import { englishOf } from "@portico/protocol/errors";
import type { Locale } from "../look/preferences.ts";
import type { SHARED } from "../words/shared.ts";
import type { KeysOf, Say } from "../words/words.ts";

/** What a person is told of a failure: what happened, what to do, and what names it in the service's log. */
export interface ErrorExplanation {
  what: string;
  todo: string | undefined;
  /** The reqNo, where the API tells it. */
  reference: string | undefined;
}

/** What browsers say when a page's own code does not arrive. */
const LOST_CODE = /dynamically imported module|importing a module script/i;

type SharedSay = Say<KeysOf<typeof SHARED>>;

/** Explains a failed call in the person's language: the service says refusals in Chinese, and `protocol` knows them in English. */
export function explainError(error: unknown, say: SharedSay, locale: Locale): ErrorExplanation {
  if (error instanceof TransportError) {
    const what = error.httpStatus === undefined ? say("errorUnreachable") : say("errorService");
    return { what, todo: say("errorUnreachableDo"), reference: undefined };
  }
  if (error instanceof ApiRefusedError) {
    const { httpStatus: status, message, code, reqNo, retryAfterSeconds } = error;
    const told = locale === "zh-CN" ? message : (englishOf({ message, code }) ?? message);
    return { what: told, todo: whatToDo(status, retryAfterSeconds, say), reference: reqNo };
  }
  if (error instanceof ConsoleRefusedError) {
    const { status, message, english, retryAfterSeconds } = error;
    const told = locale === "zh-CN" ? message : (english ?? message);
    const what = told === "" ? say(status === 429 ? "errorTooOften" : "errorService") : told;
    return { what, todo: whatToDo(status, retryAfterSeconds, say), reference: undefined };
  }
  if (error instanceof TypeError && LOST_CODE.test(error.message)) {
    return { what: say("errorUnreachable"), todo: say("errorUnreachableDo"), reference: undefined };
  }
  return { what: say("errorSurprise"), todo: say("errorSurpriseDo"), reference: undefined };
}

function whatToDo(status: number, retryAfterSeconds: number | undefined, say: SharedSay): string | undefined {
  if (retryAfterSeconds !== undefined) return say("errorRetryAfter", { count: retryAfterSeconds });
  return status >= 500 ? say("errorServiceDo") : undefined;
}
