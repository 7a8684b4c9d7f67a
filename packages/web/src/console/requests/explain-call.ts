import { type CallRefusal, type RequestExplanation, withDurations } from "@portico/protocol";
import type { Locale } from "../../shared/look/preferences.ts";
import type { Format } from "../../shared/words/format.ts";
import type { KeysOf, Say } from "../../shared/words/words.ts";
import { adviceInChinese } from "./advice/advice-in-chinese.ts";
import type { CHECKS } from "./check-words.ts";
import type { MISTAKES, Mistake } from "./mistake-words.ts";
import { reasonInWords } from "./reason-in-words.ts";

/** What a developer is told of a refused call. */
export interface CallVerdict {
  what: string;
  why: string;
  todo: string[];
}

interface Language {
  locale: Locale;
  format: Format;
  say: Say<KeysOf<typeof CHECKS>>;
  sayMistake: Say<KeysOf<typeof MISTAKES>>;
}

/** Explains a refused call in the person's language; null for one that was carried out. */
export function explainCall(explanation: RequestExplanation, language: Language): CallVerdict | null {
  const { check, reason } = explanation;
  if (check === null) return null;
  const refusal = { check, details: explanation.details } as CallRefusal;
  return {
    what: language.say(check),
    why: whyOf(refusal, language) ?? reasonInWords(reason ?? "", explanation.code, language.locale),
    todo: todoOf(refusal, explanation.hints, language),
  };
}

/** The words of the service itself where they say more than the details: undefined. */
function whyOf(refusal: CallRefusal, { say, format }: Language): string | undefined {
  switch (refusal.check) {
    case "body-size": {
      const { maxBytes, contentLength } = refusal.details;
      const limit = format.bytes(maxBytes);
      if (contentLength === null) return say("bodySizeWhyUnknown", { limit });
      return say("bodySizeWhy", { limit, got: format.bytes(contentLength) });
    }
    case "headers": {
      const { header, problem, maxLength } = refusal.details;
      return problem === "missing"
        ? say("headerMissing", { header })
        : say("headerTooLong", { header, max: maxLength ?? 0 });
    }
    case "timestamp": {
      const { received, clockSkewMs, windowMs } = refusal.details;
      if (clockSkewMs === null) return say("noTimestamp", { received });
      const values = { skew: format.duration(Math.abs(clockSkewMs)), window: format.duration(windowMs) };
      return say(clockSkewMs > 0 ? "clockAhead" : "clockBehind", values);
    }
    case "application":
      return `X-Open-App-Id: ${refusal.details.appId}`;
    case "app-state":
      return say("stateIs", { status: refusal.details.status });
    case "credential": {
      const { credentialId, problem, graceEndedAt } = refusal.details;
      if (problem === "unknown" || graceEndedAt === null) return say("credentialUnknown", { credentialId });
      return say("credentialExpired", { credentialId, ended: format.dateTime(graceEndedAt) });
    }
    case "signature":
      return say("signatureWhy");
    case "nonce": {
      const { nonce, seenAt, refusedUntil } = refusal.details;
      if (seenAt === null || refusedUntil === null) return undefined;
      return say("nonceWhy", { nonce, seen: format.dateTime(seenAt), until: format.dateTime(refusedUntil) });
    }
    case "quota": {
      const { exceeded, used, limit } = refusal.details;
      return say(`quota_${exceeded}`, { used: format.number(used), limit: format.number(limit) });
    }
    case "scope":
      return say("scopeWhy", { scope: refusal.details.scope });
    case "accept":
      return say("acceptWhy", { received: refusal.details.received });
    case "content-type": {
      const { received, expected } = refusal.details;
      return received === null
        ? say("contentTypeMissing", { expected })
        : say("contentTypeWhy", { received, expected });
    }
    default:
      return undefined;
  }
}

function todoOf(refusal: CallRefusal, hints: readonly string[], { locale, sayMistake }: Language): string[] {
  if (refusal.check === "signature" && refusal.details.mistakes !== null && refusal.details.mistakes.length > 0) {
    // A newer service may know of more.
    return refusal.details.mistakes.map((mistake, index) => {
      const said = sayMistake(mistake as Mistake);
      return said === mistake ? (hints[index] ?? mistake) : said;
    });
  }
  return locale === "zh-CN" ? adviceInChinese(refusal) : hints.map(withDurations);
}
