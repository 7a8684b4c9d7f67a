import type { Static, TSchema } from "typebox";
import * as Type from "typebox";
import { BUSINESS_RULE_NAMES } from "../business-rules.ts";
import { CARD_MESSAGES, type CardRule } from "../cards/contract.ts";
import { CALL_FAULTS } from "../rehearsals.ts";
import { APP_STATES } from "../scopes.ts";
import { nullable, time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** The problems of a member of a body, of the body as a whole, or of a parameter. */
export const SCHEMA_PROBLEMS = [
  "missing",
  "repeated",
  "type",
  "value",
  "length",
  "range",
  "characters",
  "not-utf8",
  "not-json",
  "other",
] as const;
export type SchemaProblem = (typeof SCHEMA_PROBLEMS)[number];

/** The problems of the form of an upload. */
export const FORM_PROBLEMS = [
  "boundary",
  "cut-off",
  "line-breaks",
  "part-head",
  "part-count",
  "other-parts",
  "encoding",
  "no-file",
  "several-files",
  "file-size",
] as const;
export type FormProblem = (typeof FORM_PROBLEMS)[number];

/** The rules that a card itself can break. */
const CARD_RULES = Object.keys(CARD_MESSAGES) as CardRule[];

const pointer = (description: string) => Type.String({ description: `JSON pointer (RFC 6901) ${description}` });

/**
 * The checks of a signed call in their order (docs/contract/signing.md#what-the-service-checks-and-in-which-order),
 * each with the details of a refused call. "connection": the request did not arrive completely or in time. "schema":
 * the body or a parameter is invalid. "pace": an upload was too slow. "form": the form of an upload is invalid. "card":
 * a card breaks a rule. "business": the request cannot be fulfilled. "capacity": the service is overloaded, independent
 * of the quota. "rehearsal": the application's owner wanted it to fail. "internal": the service failed.
 */
export const CallRefusalSchemas = {
  connection: Type.Null(),
  "body-size": Type.Object({
    maxBytes: Type.Integer(),
    contentLength: nullable(Type.Integer({ description: "As announced; null when it was not" })),
  }),
  pace: Type.Object({
    leastBytesPerSecond: Type.Integer({ description: "What an upload has to bring" }),
    windowMs: Type.Integer({ description: "On the average of so long" }),
  }),
  headers: Type.Object({
    header: Type.String(),
    problem: Type.Enum(["missing", "too-long"]),
    maxLength: nullable(Type.Integer()),
  }),
  timestamp: Type.Object({
    received: Type.String(),
    serverTime: time(),
    clockSkewMs: nullable(
      Type.Integer({ description: "How far the timestamp is ahead of the server; null when it is no number" }),
    ),
    windowMs: Type.Integer({ description: "How far it may be off, either way" }),
  }),
  application: Type.Object({ appId: Type.String({ description: "As claimed" }) }),
  "app-state": Type.Object({ status: Type.Enum([...APP_STATES]) }),
  credential: Type.Object({
    credentialId: Type.String(),
    problem: Type.Enum(["unknown", "expired"]),
    rotatedAt: nullable(time()),
    graceEndedAt: nullable(time()),
  }),
  signature: Type.Object({
    lines: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: "The server's canonical string, line by line; empty when the query cannot be brought into its form",
    }),
    truncated: Type.Boolean({ description: "Whether a line is too long to be shown whole" }),
    bodyHash: Type.String({ description: "Lower-case hex SHA-256 of the body as it arrived" }),
    bodyLength: Type.Integer({ description: "Bytes" }),
    contentType: nullable(Type.String()),
    received: Type.Object({ length: Type.Integer(), form: Type.String() }),
    mistakes: nullable(
      Type.Array(Type.String(), {
        description:
          "Usual mistakes with which the received signature would come out, all of them together; empty when none " +
          "does, null when that was not looked into because very many calls were refused",
      }),
    ),
  }),
  nonce: Type.Object({
    nonce: Type.String(),
    seenAt: nullable(time("When it was used, at the latest")),
    refusedUntil: nullable(time()),
    lifetimeMs: Type.Integer(),
  }),
  rehearsal: Type.Object({ fault: Type.Enum([...CALL_FAULTS]) }),
  quota: Type.Object({
    exceeded: Type.Enum(["minute", "day", "concurrent", "bytes"]),
    limit: Type.Integer(),
    used: Type.Integer(),
    resetAt: nullable(time("null for concurrency: a place is free as soon as a call ends")),
    retryAfterSeconds: Type.Integer(),
  }),
  scope: Type.Object({ scope: Type.String({ description: "The one that is missing" }) }),
  accept: Type.Object({ received: Type.String() }),
  "content-type": Type.Object({ received: nullable(Type.String()), expected: Type.String() }),
  schema: Type.Object({
    field: nullable(Type.String({ description: "null when no field alone is wrong" })),
    pointer: nullable(pointer("into the body; null for a parameter")),
    problem: Type.Enum([...SCHEMA_PROBLEMS]),
    expected: nullable(Type.String({ description: "What it has to be, in English" })),
  }),
  form: Type.Object({ problem: Type.Enum([...FORM_PROBLEMS]) }),
  card: Type.Object({
    rule: Type.Enum(CARD_RULES),
    pointer: pointer("into the card"),
    suggestion: Type.String({ description: "What to do about it, in English" }),
  }),
  business: nullable(
    Type.Object({
      rule: Type.Enum(BUSINESS_RULE_NAMES),
      pointer: nullable(pointer("into the body; null when nothing in it is wrong")),
      facts: Type.Record(Type.String(), nullable(Type.Union([Type.String(), Type.Integer()])), {
        description: "What the service knows of it. Times, whose names end in At, are in epoch milliseconds",
      }),
    }),
  ),
  capacity: Type.Null(),
  internal: Type.Null(),
} satisfies Record<string, TSchema>;

/** The check that refused a call. */
export type CallCheck = keyof typeof CallRefusalSchemas;

/** A check with the details of the refused call. */
export type CallRefusal = {
  [Check in CallCheck]: { check: Check; details: Static<(typeof CallRefusalSchemas)[Check]> };
}[CallCheck];

const CHECKS = Object.keys(CallRefusalSchemas) as CallCheck[];

/** A call of the open API, as the console lists it. */
const request = {
  reqNo: Type.String(),
  at: time("When it arrived"),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  code: Type.String(),
  durationMs: Type.Integer(),
  reason: nullable(Type.String({ description: "Why it was refused; null when it was not" })),
};

const reqNo = plainText({ minLength: 1, maxLength: 64 });

/** Query of `GET apps/{appId}/requests`. Both ends of the time range are included. */
export const RequestsQuerySchema = Type.Object({
  from: Type.Optional(time()),
  to: Type.Optional(time()),
  status: Type.Optional(Type.String({ pattern: "^[1-5]([0-9]{2}|xx)$", description: "For example 401, or 4xx" })),
  code: Type.Optional(plainText({ minLength: 1, maxLength: 16 })),
  path: Type.Optional(plainText({ minLength: 1, maxLength: 512, description: "What the path begins with" })),
  method: Type.Optional(Type.Enum(["GET", "POST", "PUT", "DELETE"])),
  before: Type.Optional(reqNo),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});
export type RequestsQuery = Static<typeof RequestsQuerySchema>;

/** Answer of `GET apps/{appId}/requests`, newest first. */
export const RequestListSchema = Type.Object({
  items: Type.Array(Type.Object(request)),
  nextBefore: nullable(
    Type.String({
      description:
        "`before` of the next page; null when there is none. A filter that selects few calls may fill less than a page, " +
        "or nothing of it, before it has looked at all there are",
    }),
  ),
});
export type RequestList = Static<typeof RequestListSchema>;

/** Answer of `GET apps/{appId}/requests/{reqNo}` and `GET operator/requests/{reqNo}`: a call and its result. */
export const RequestExplanationSchema = Type.Object({
  ...request,
  appId: nullable(Type.String({ description: "null when there is no application of the id that was claimed" })),
  query: nullable(Type.String({ description: "As it came; of refused calls only" })),
  headers: Type.Record(Type.String(), Type.String(), {
    description: "Of refused calls; never the signature",
  }),
  check: nullable(Type.Enum(CHECKS, { description: "Which check refused it; null when none did" })),
  details: Type.Unsafe<CallRefusal["details"]>(Type.Union(Object.values(CallRefusalSchemas))),
  canonicalString: nullable(Type.String({ description: "What the server checked the signature of, if that is why" })),
  hints: Type.Array(Type.String({ description: "What to do about it" })),
});
export type RequestExplanation = Static<typeof RequestExplanationSchema>;

/** The interval lengths of statistics. */
const INTERVALS = ["minute", "hour", "day"] as const;

/** Query of `GET apps/{appId}/stats`. The default range is the last hour, day or 30 days. */
export const StatsQuerySchema = Type.Object({
  from: Type.Optional(time()),
  to: Type.Optional(time()),
  interval: Type.Optional(Type.Enum([...INTERVALS], { default: "hour" })),
});

const figures = {
  calls: Type.Integer(),
  errors: Type.Integer({ description: "Calls that were refused or failed" }),
  deliveries: Type.Object({
    delivered: Type.Integer(),
    failed: Type.Integer({ description: "FAILED or EXHAUSTED" }),
    pending: Type.Integer({ description: "PENDING or RETRYING" }),
    dropped: Type.Integer(),
  }),
};

/** The numbers of calls, and of webhook deliveries by their state. */
export const FiguresSchema = Type.Object(figures);
export type Figures = Static<typeof FiguresSchema>;

/** How long calls took, in milliseconds: half, 95% and 99% of them at most so long. */
export const LatencySchema = Type.Object(
  { p50: Type.Integer(), p95: Type.Integer(), p99: Type.Integer() },
  { description: "Each rounded up to one of 22 durations from 1 to 60000, which also stands for more" },
);
export type Latency = Static<typeof LatencySchema>;

const measured = {
  ...figures,
  latency: nullable(LatencySchema),
  busiestMinute: Type.Integer({ description: "The most calls in one minute" }),
};

/** Answer of `GET apps/{appId}/stats`: every interval of the range, in UTC, including empty ones. */
export const StatsSchema = Type.Object({
  interval: Type.Enum([...INTERVALS]),
  callsFrom: time("Earlier calls are no longer counted: `retention.requests`, by default 7 days"),
  items: Type.Array(Type.Object({ at: time("When the interval begins"), ...measured })),
  totals: Type.Object(measured),
  errorsByCode: Type.Array(Type.Object({ code: Type.String(), calls: Type.Integer() }), {
    description: "The refused and failed calls of the range by the code they were answered with, most frequent first",
  }),
  quota: Type.Object({
    perMinute: Type.Integer(),
    perDay: Type.Integer(),
    days: Type.Array(
      Type.Object({ at: time("When the day begins, in UTC"), used: Type.Integer({ description: "Admitted calls" }) }),
      { description: "Every UTC day of the range of the last 30 that used something" },
    ),
  }),
});
export type Stats = Static<typeof StatsSchema>;
