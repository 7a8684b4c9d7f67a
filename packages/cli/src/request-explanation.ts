import { listOf, memberOf, numberOf, textOf } from "./json.ts";
import { callView } from "./requests.ts";
import { columns, inOneLine, inWords, isoTime, whatToDo } from "./terminal.ts";

/** Members of details that are times, in epoch milliseconds. */
const TIMES = new Set(["serverTime", "rotatedAt", "graceEndedAt", "seenAt", "refusedUntil", "resetAt", "expiredAt"]);

/** What refused a call, by its check, where that is not well said as the check of something. */
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
  internal: "nothing: the service failed",
};

/** Members of details that other names say better. */
const MEMBER_NAMES: Readonly<Record<string, string>> = {
  seenAt: "used, at the latest",
  pointer: "at, in the body",
  expected: "has to be",
};

/** Members of details that are said elsewhere. */
const SAID_ELSEWHERE = new Set(["suggestion", "facts"]);

/** The line of the canonical string that a usual mistake is in, by what the mistake's name begins with. */
const LINE_OF_MISTAKE: readonly (readonly [beginning: string, line: number])[] = [
  ["method-", 1],
  ["path-", 2],
  ["query-", 3],
  ["timestamp-", 6],
  ["body-", 8],
];

/** What became of a call, out of the answer that explains it, as lines for a person. */
export function explanationLines(explanation: unknown): string[] {
  const { reqNo, at, method, path, status, code, durationMs, reason } = callView(explanation);
  const query = textOf(explanation, "query");
  const check = textOf(explanation, "check");
  const rows = [
    ["call", `${method} ${path}${query === undefined ? "" : `?${query}`}`],
    ["reqNo", reqNo],
    ["app", textOf(explanation, "appId") ?? "none has the id that was claimed"],
    ["time", isoTime(at)],
    ["answer", `${status} ${code}, after ${durationMs} ms`],
    ["refused by", refusedBy(check, memberOf(explanation, "details"))],
    ...(reason === undefined ? [] : [["reason", reason] as const]),
  ] as const;
  return [
    ...columns(rows),
    ...(check === undefined ? [] : detailLines(check, memberOf(explanation, "details"))),
    ...section("Headers, as they arrived", headerRows(memberOf(explanation, "headers"))),
    ...whatToDo(listOf(explanation, "hints").map(String)),
  ].map(inOneLine);
}

function detailLines(check: string, details: unknown): string[] {
  if (check === "signature") return signatureLines(details);
  if (check === "timestamp") return section("Clocks", timestampRows(details));
  const facts = Object.entries(memberOf(details, "facts") ?? {});
  const rows = [...Object.entries(details ?? {}), ...facts].flatMap(([name, value]) =>
    value === null || value === "" || SAID_ELSEWHERE.has(name)
      ? []
      : [[MEMBER_NAMES[name] ?? inWords(name.replace(/Ms$/, "")), shown(name, value)] as const],
  );
  return section("What the check found", rows);
}

function refusedBy(check: string | undefined, details: unknown): string {
  if (check === undefined) return "nothing: it was carried out";
  const rule = textOf(details, "rule");
  if (check === "business") return rule === undefined ? "a rule" : `a rule: ${rule.replaceAll("-", " ")}`;
  return REFUSED_BY[check] ?? `the check of the ${inWords(check)}`;
}

/** The server's text to sign, each line that was signed otherwise marked, as far as that is known. */
function signatureLines(details: unknown): string[] {
  const wrong = new Set(listOf(details, "mistakes").map(lineOfMistake));
  const lines = listOf(details, "lines").map((line, index) => {
    const mark = wrong.has(index + 1) ? ">" : " ";
    const name = inWords(textOf(line, "name") ?? "?");
    return [`${mark} ${index + 1} ${name}`, textOf(line, "value") || "(empty)"] as const;
  });
  const remarks = [
    ...(lines.length === 0 ? ["  none: the query cannot be brought into its form"] : []),
    ...(memberOf(details, "truncated") === true ? ["  A line is longer than is shown here."] : []),
    ...(lines.some(([name]) => name.startsWith(">")) ? ["> marks what the caller signed otherwise."] : []),
  ];
  const contentType = textOf(details, "contentType");
  const received = memberOf(details, "received");
  const rows = [
    ["body", `${numberOf(details, "bodyLength") ?? "?"} bytes${contentType === undefined ? "" : `, ${contentType}`}`],
    ["body hash", textOf(details, "bodyHash") ?? "?"],
    ["signature", `${numberOf(received, "length") ?? "?"} characters, ${textOf(received, "form") ?? "?"}`],
  ] as const;
  return [
    "",
    "Canonical string that the service built: these values, joined by line feeds, were to be signed",
    ...(lines.length === 0 ? [] : columns(lines)),
    ...remarks,
    ...section("What arrived", rows),
  ];
}

function lineOfMistake(mistake: unknown): number | undefined {
  return LINE_OF_MISTAKE.find(([beginning]) => String(mistake).startsWith(beginning))?.[1];
}

function timestampRows(details: unknown) {
  const [skew, serverTime] = [numberOf(details, "clockSkewMs"), numberOf(details, "serverTime")];
  const windowMs = numberOf(details, "windowMs") ?? 0;
  const received = textOf(details, "received") ?? "?";
  const at = Number(received);
  return [
    ["X-Open-Timestamp", skew === undefined ? `${received} (no number)` : `${received} (${isoTime(at)})`],
    ["the service's", serverTime === undefined ? "?" : `${serverTime} (${isoTime(serverTime)})`],
    ...(skew === undefined
      ? []
      : [["off by", `${duration(Math.abs(skew))} ${skew > 0 ? "ahead of" : "behind"} the service`] as const]),
    ["allowed", `${duration(windowMs)} either way`],
  ] as const;
}

function headerRows(headers: unknown): (readonly [string, string])[] {
  return Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)] as const);
}

function section(title: string, rows: readonly (readonly [name: string, value: string])[]): string[] {
  return rows.length === 0 ? [] : ["", title, ...columns(rows).map((line) => `  ${line}`)];
}

function shown(name: string, value: unknown): string {
  if (typeof value !== "number") return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (TIMES.has(name)) return isoTime(value);
  return name.endsWith("Ms") ? duration(value) : String(value);
}

function duration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toFixed(3))} s`;
}
