import { ApiRefusedError, ConsoleRefusedError, TransportError } from "@portico/protocol/client";
import { englishOf } from "@portico/protocol/errors";
import type { Locale } from "../look/preferences.ts";
import type { SHARED } from "../words/shared.ts";
import type { KeysOf, Say } from "../words/words.ts";

/** What a person is told of a failure: what happened, what to do, and what names it in the service's log. */
export interface ErrorExplanation {
  what: string;
  todo: string | undefined;
  reference: ErrorReference | undefined;
}

/** The number of the request, or the path and time of the call where the API has no numbers. */
export interface ErrorReference {
  kind: "requestNumber" | "calledPath";
  text: string;
}

/** What browsers say when a page's own code does not arrive. */
const LOST_CODE = /dynamically imported module|importing a module script/i;

type SharedSay = Say<KeysOf<typeof SHARED>>;

/** Explains a failed call in the person's language: the service says refusals in Chinese, and `protocol` knows them in English. */
export function explainError(error: unknown, say: SharedSay, locale: Locale): ErrorExplanation {
  if (error instanceof TransportError) {
    if (error.httpStatus === undefined) return unreachable(say);
    return { what: say("errorService"), todo: say("errorServiceDo"), reference: undefined };
  }
  if (error instanceof ApiRefusedError) {
    const { message, code, reqNo } = error;
    const told = locale === "zh-CN" ? message : (englishOf({ message, code }) ?? message);
    const reference = { kind: "requestNumber", text: reqNo } as const;
    return { what: told, todo: whatToDo(error.httpStatus, error, reference, say), reference };
  }
  if (error instanceof ConsoleRefusedError) {
    const { status, message, english } = error;
    const told = locale === "zh-CN" ? message : (english ?? message);
    const what = told === "" ? say(status === 429 ? "errorTooOften" : "errorService") : told;
    const reference = callOf(error);
    return { what, todo: whatToDo(status, error, reference, say), reference };
  }
  if (error instanceof TypeError && LOST_CODE.test(error.message)) return unreachable(say);
  return { what: say("errorSurprise"), todo: say("errorSurpriseDo"), reference: undefined };
}

function unreachable(say: SharedSay): ErrorExplanation {
  return { what: say("errorUnreachable"), todo: say("errorUnreachableDo"), reference: undefined };
}

/** Undefined for what the person can mend: nobody needs to look for that in a log. */
function callOf({ status, path, timestamp }: ConsoleRefusedError): ErrorReference | undefined {
  if (status < 500 || path === undefined || timestamp === undefined) return undefined;
  return { kind: "calledPath", text: `${path} ${timestamp}` };
}

function whatToDo(
  status: number,
  { retryAfterSeconds }: { retryAfterSeconds: number | undefined },
  reference: ErrorReference | undefined,
  say: SharedSay,
): string | undefined {
  if (retryAfterSeconds !== undefined) return say("errorRetryAfter", { count: retryAfterSeconds });
  if (status < 500) return undefined;
  if (reference === undefined) return say("errorServiceDo");
  return say(reference.kind === "requestNumber" ? "errorServiceDoNumber" : "errorServiceDoPath");
}
