import type { CallRefusal, RequestExplanation } from "@portico/protocol";
import { englishOf } from "@portico/protocol/errors";
import type { Locale } from "../../shared/look/preferences.ts";
import type { Format } from "../../shared/words/format.ts";
import type { KeysOf, Say } from "../../shared/words/words.ts";
import { ADVICE_ZH, type MISTAKES, type Mistake } from "./advice-words.ts";
import type { CHECKS } from "./check-words.ts";

/** The internal codes that stand before some reasons; callers never see them. */
const INTERNAL_CODE = /^4000\d\d /;

/** The checks of a signature say their reasons in English alone. */
const REASONS_ZH: readonly (readonly [reason: RegExp, said: string])[] = [
  [/^the signature does not match/, "签名不匹配"],
  [/^malformed percent sequence/, "查询串中有无效的百分号编码"],
  [/^unknown application/, "应用不存在"],
  [/^the nonce is longer/, "随机串过长"],
  [/^the nonce has been used/, "随机串已被使用"],
  [/^the timestamp is not a whole number/, "时间戳不是毫秒整数"],
  [/^the timestamp is \d+ ms ahead/, "时间戳比服务端快，超出允许范围"],
  [/^the timestamp is \d+ ms behind/, "时间戳比服务端慢，超出允许范围"],
  [/^the application has no such credential/, "应用没有此凭证"],
  [/^the credential was rotated/, "凭证已轮换，且宽限期已过"],
];

/** The service's reason for a refusal as a line of the log: in the person's language where it is known, without the internal code. */
export function reasonInWords(reason: string, code: string, locale: Locale): string {
  const told = reason.replace(INTERNAL_CODE, "");
  if (locale === "zh-CN") return REASONS_ZH.find(([known]) => known.test(told))?.[1] ?? told;
  return englishOf({ message: told, code }) ?? told;
}

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
  const advice = ADVICE_ZH[refusal.check];
  return locale === "zh-CN" && advice !== undefined ? [advice] : [...hints];
}
