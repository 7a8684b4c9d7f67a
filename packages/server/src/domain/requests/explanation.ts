import type { RequestExplanation } from "@portico/protocol";
import { parseDetail } from "./call-detail.ts";
import { hintsFor } from "./hints.ts";
import type { RequestRecord } from "./request-store.ts";

/** Explains a recorded call to its developer. */
export function explain({ detail: text, ...record }: RequestRecord): RequestExplanation {
  const { reqNo, appId, at, method, path, status, code, durationMs } = record;
  const call = { reqNo, appId, at, method, path, status, code, durationMs };
  const detail = parseDetail(text);
  if (detail === null) {
    const nothing = { reason: null, query: null, headers: {}, check: null, details: null, canonicalString: null };
    return { ...call, ...nothing, hints: [] };
  }
  const { headers, query, reason, refusal } = detail;
  const { check, details } = refusal;
  const lines = check === "signature" ? details.lines : [];
  const canonicalString = lines.length === 0 ? null : lines.map(({ value }) => value).join("\n");
  return { ...call, reason, query, headers, check, details, canonicalString, hints: hintsFor(refusal) };
}
