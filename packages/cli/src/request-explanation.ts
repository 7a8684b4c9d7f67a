import { type CallRefusal, durationInWords, type RequestExplanation, withDurations } from "@portico/protocol";
import { columns, inOneLine, inWords, isoTime, whatToDo } from "./terminal.ts";

/** A day: nobody reads seconds beyond it. */
const LONG_MS = 86_400_000;
/** Detail fields that are times, in epoch milliseconds. */
const TIMES = new Set(["serverTime", "rotatedAt", "graceEndedAt", "seenAt", "refusedUntil", "resetAt", "expiredAt"]);

/** What refused a call, by check, where the check's own name would be unclear. */
const REFUSED_BY: Readonly<Record<string, string>> = {
  connection: "nobody: the request did not arrive whole",
  pace: "the least pace of uploads",
  "body-size": "the limit of the body's size",
  "app-state": "the check of the application's state",
  accept: "the check of the Accept header",
  "content-type": "the check of the Content-Type header",
  quota: "the application's quota",
  schema: "the check of the body and the parameters",
  form: "the check of the upload's form",
  card: "the rules of cards",
  capacity: "want of room in the service; no quota of the application's",
  rehearsal: "nobody: the app's owner rehearses this fault",
  internal: "nothing: the service failed",
};

/** Better names for some detail fields. */
const MEMBER_NAMES: Readonly<Record<string, string>> = {
  seenAt: "used, at the latest",
  pointer: "at, in the body",
  expected: "has to be",
};

/** Detail fields that are shown elsewhere. */
const SAID_ELSEWHERE = new Set(["suggestion", "facts"]);

/** The line of the canonical string that a mistake concerns, by the beginning of its name. */
const LINE_OF_MISTAKE: readonly (readonly [beginning: string, line: number])[] = [
  ["method-", 1],
  ["path-", 2],
  ["query-", 3],
  ["timestamp-", 6],
  ["body-", 8],
];

type DetailsOf<Check extends CallRefusal["check"]> = Extract<CallRefusal, { check: Check }>["details"];

/** Explains the result of a call as lines of text. */
export function explanationLines(explanation: RequestExplanation): string[] {
  const { reqNo, appId, at, method, path, query, status, code, durationMs, reason, headers, hints } = explanation;
  const refusal = refusalOf(explanation);
  const rows = [
    ["call", `${method} ${path}${query === null ? "" : `?${query}`}`],
    ["reqNo", reqNo],
    ["app", appId ?? "none has the id that was claimed"],
    ["time", isoTime(at)],
    ["answer", `${status} ${code}, after ${durationMs} ms`],
    ["refused by", refusal === null ? "nothing: it was carried out" : refusedBy(refusal)],
    ...(reason === null ? [] : [["reason", withDurations(reason)] as const]),
  ] as const;
  return [
    ...columns(rows),
    ...(refusal === null ? [] : detailLines(refusal)),
    ...section("Headers, as they arrived", Object.entries(headers)),
    ...whatToDo(hints.map(withDurations)),
  ].map(inOneLine);
}

/** The check that refused a call, with its findings; null for a successful call. */
function refusalOf({ check, details }: RequestExplanation): CallRefusal | null {
  // The schema allows any combination of check and details; the service sends the details of the check.
  return check === null ? null : ({ check, details } as CallRefusal);
}

function detailLines(refusal: CallRefusal): string[] {
  if (refusal.check === "signature") return signatureLines(refusal.details);
  if (refusal.check === "timestamp") return section("Clocks", timestampRows(refusal.details));
  const facts = refusal.check === "business" ? Object.entries(refusal.details?.facts ?? {}) : [];
  const rows = [...Object.entries(refusal.details ?? {}), ...facts].flatMap(([name, value]) =>
    value === null || value === "" || SAID_ELSEWHERE.has(name)
      ? []
      : [[MEMBER_NAMES[name] ?? inWords(name.replace(/Ms$/, "")), shown(name, value)] as const],
  );
  return section("What the check found", rows);
}

function refusedBy(refusal: CallRefusal): string {
  const { check } = refusal;
  if (check === "business") {
    return refusal.details === null ? "a rule" : `a rule: ${refusal.details.rule.replaceAll("-", " ")}`;
  }
  return REFUSED_BY[check] ?? `the check of the ${inWords(check)}`;
}

/** The canonical string of the server; lines that the caller signed differently are marked, if known. */
function signatureLines(details: DetailsOf<"signature">): string[] {
  const { bodyHash, bodyLength, contentType, mistakes, received, truncated } = details;
  const wrong = new Set(mistakes?.map(lineOfMistake));
  const lines = details.lines.map(({ name, value }, index) => {
    const mark = wrong.has(index + 1) ? ">" : " ";
    return [`${mark} ${index + 1} ${inWords(name)}`, value || "(empty)"] as const;
  });
  const remarks = [
    ...(lines.length === 0 ? ["  none: the query cannot be brought into its form"] : []),
    ...(truncated ? ["  A line is longer than is shown here."] : []),
    ...(lines.some(([name]) => name.startsWith(">")) ? ["> marks what the caller signed otherwise."] : []),
  ];
  const rows = [
    ["body", `${bodyLength} bytes${contentType === null ? "" : `, ${contentType}`}`],
    ["body hash", bodyHash],
    ["signature", `${received.length} characters, ${received.form}`],
  ] as const;
  return [
    "",
    "Canonical string that the service built: these values, joined by line feeds, were to be signed",
    ...(lines.length === 0 ? [] : columns(lines)),
    ...remarks,
    ...section("What arrived", rows),
  ];
}

function lineOfMistake(mistake: string): number | undefined {
  return LINE_OF_MISTAKE.find(([beginning]) => mistake.startsWith(beginning))?.[1];
}

function timestampRows({ received, serverTime, clockSkewMs: skew, windowMs }: DetailsOf<"timestamp">) {
  return [
    ["X-Open-Timestamp", skew === null ? `${received} (no number)` : `${received} (${isoTime(Number(received))})`],
    ["the service's", `${serverTime} (${isoTime(serverTime)})`],
    ...(skew === null
      ? []
      : [["off by", `${duration(Math.abs(skew))} ${skew > 0 ? "ahead of" : "behind"} the service`] as const]),
    ["allowed", `${duration(windowMs)} either way`],
  ] as const;
}

function section(title: string, rows: readonly (readonly [name: string, value: string])[]): string[] {
  return rows.length === 0 ? [] : ["", title, ...columns(rows).map((line) => `  ${line}`)];
}

function shown(name: string, value: unknown): string {
  if (typeof value !== "number") return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (TIMES.has(name)) return isoTime(value);
  return name.endsWith("Ms") ? duration(value) : String(value);
}

/** Exact while that says something. */
function duration(ms: number): string {
  if (ms >= LONG_MS) return durationInWords(ms);
  return ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toFixed(3))} s`;
}
