import { STATUS_CODES } from "node:http";
import {
  BOUNDS,
  type ConsoleErrorBody,
  DESK_BOUNDS,
  ERRORS,
  type ErrorCode,
  EVENT_TYPES,
  englishOf,
  errorRow,
  wordsOf,
} from "@portico/protocol";
import { ConsoleErrorSchema } from "@portico/protocol/schemas";
import { MAX_SCIM_TOKENS } from "../../domain/scim/token-store.ts";
import { MAX_URL_LENGTH } from "../../platform/network/address-guard.ts";
import type { Models } from "./models.ts";
import type { Answer, ApiDocument } from "./openapi.ts";

/** Values for the names in braces in messages. */
const SAMPLES: Record<string, string | number> = {
  ...{ field: "receiveId", type: "string", values: "group_id, user_id", index: 0, name: "agentId" },
  ...{ problem: "the bytes are not UTF-8", what: "callbackUrl", host: "localhost", scope: "bot.message.send" },
  ...{
    version: 3,
    eventType: "im.message.receive_v1",
    origin: "https://shop.example.com",
    timeoutMs: 3000,
    account: "alice",
    username: "alice",
  },
  ...{ tenantId: "t_other", msgType: "video", tag: "video", status: "DISABLED", a: "card", b: "cardId", count: 11 },
};

/** The same where a message is about something else. */
const OWN_SAMPLES: Partial<Record<ErrorCode, Record<string, string | number>>> = {
  AGENTS_TOO_MANY: { max: 1_000 },
  APPS_TOO_MANY: { max: 200 },
  APP_CANNED_REPLIES_TOO_LONG: { max: DESK_BOUNDS.cannedRepliesKib },
  APP_CANNED_REPLIES_TOO_MANY: { max: DESK_BOUNDS.cannedReplies },
  BODY_INVALID: { problem: "must match a schema in anyOf" },
  BODY_TYPE_WRONG: { type: "object" },
  CALLBACK_TOO_LONG: { max: MAX_URL_LENGTH },
  CALLBACK_UNRESOLVABLE: { host: "nowhere.example.com" },
  CANNED_REPLIES_TOO_LONG: { max: DESK_BOUNDS.cannedRepliesKib },
  CANNED_REPLIES_TOO_MANY: { max: DESK_BOUNDS.cannedReplies },
  CONTENT_TYPE_UNSUPPORTED: { type: "text/plain" },
  CREDENTIALS_IN_GRACE_TOO_MANY: { max: 50 },
  DESK_STATS_RANGE_TOO_LONG: { max: 31 },
  EVENT_NOT_FOR_APP_TYPE: { type: "CUSTOMER_SERVICE" },
  EVENT_SCOPE_MISSING: { scope: "event.bot.message" },
  EVENT_TYPE_UNKNOWN: { values: EVENT_TYPES.join(", ") },
  FIELD_INVALID: { field: "content", problem: "must match a schema in anyOf" },
  FIELD_TOO_BIG: { field: "pageSize", max: 100 },
  FIELD_TOO_LONG: { field: "clientMessageId", max: 64 },
  FIELD_TOO_SHORT: { field: "password", min: 8 },
  FIELD_TOO_SMALL: { field: "pageSize", min: 1 },
  FIELD_VALUE_UNKNOWN: { field: "receiveIdType" },
  GROUP_MEMBERS_TOO_MANY: { max: BOUNDS.groupMembers },
  MENTIONS_TOO_MANY: { max: BOUNDS.mentions },
  PARAMETER_REPEATED: { name: "pageSize" },
  PASSWORD_TOO_SHORT: { min: 8 },
  PIXELS_OUT_OF_RANGE: { field: "content.width", min: 0, max: BOUNDS.imagePixels },
  SCIM_TOKENS_TOO_MANY: { max: MAX_SCIM_TOKENS },
  SCOPE_NOT_FOR_APP_TYPE: { type: "CUSTOMER_SERVICE" },
  STATS_RANGE_TOO_LONG: { max: 1_500 },
  TEMPLATES_TOO_MANY: { max: 500 },
  UPLOAD_FILE_TOO_LARGE: { max: "20MiB" },
  UPLOAD_OTHER_PARTS_TOO_LARGE: { max: "1MiB" },
  UPLOAD_PARTS_TOO_MANY: { max: 32 },
  UPLOAD_PART_HEAD_TOO_LONG: { max: 8 },
};

/** The form of a refusal: of the open API and the people's APIs, or of the console. */
export type RefusalForm = "envelope" | "console";

/** The refusals of a description: a model of each form, and an example of each error that a call may answer. */
export class Refusals {
  readonly examples: ApiDocument["components"]["examples"] = {};
  readonly #models: Models;

  constructor(models: Models) {
    this.#models = models;
  }

  /** The answers for these errors, by status; each names its errors and has an example of each. */
  answers(codes: readonly ErrorCode[], form: RefusalForm): Record<string, Answer> {
    const byStatus = Map.groupBy(new Set(codes), (code) => errorRow(code).status);
    const statuses = [...byStatus].toSorted(([one], [other]) => one - other);
    return Object.fromEntries(statuses.map(([status, some]) => [`${status}`, this.#answer(status, some, form)]));
  }

  #answer(status: number, codes: readonly ErrorCode[], form: RefusalForm): Answer {
    const examples = codes.map((code) => [code, { $ref: `#/components/examples/${this.#example(code, form)}` }]);
    const schema =
      form === "console" ? this.#models.describe(ConsoleErrorSchema) : this.#models.add("Refusal", REFUSAL);
    return {
      description: describe(status, codes),
      ...(status === 429 && { headers: RETRY_AFTER }),
      content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
    };
  }

  /** Adds the example of an error, once. @returns its name. */
  #example(code: ErrorCode, form: RefusalForm): string {
    const name = form === "console" ? `console.${code}` : code;
    if (!Object.hasOwn(this.examples, name)) {
      const value = form === "console" ? consoleBody(code) : envelope(code);
      this.examples[name] = { summary: toldBy(code).english, value };
    }
    return name;
  }
}

/** The message of an error and its translation, with sample values. */
function toldBy(errorCode: ErrorCode): { message: string; english: string; code: string | undefined } {
  const { message } = wordsOf({ errorCode, params: { ...SAMPLES, ...OWN_SAMPLES[errorCode] } });
  const { kind } = errorRow(errorCode);
  const code = kind === null ? undefined : ERRORS[kind].code;
  return { message, code, english: englishOf({ message, code, errorCode }) ?? message };
}

function envelope(errorCode: ErrorCode): object {
  const { code, message } = toldBy(errorCode);
  return { code, message, value: null, reqNo: "01JG0000000000000000000001" };
}

function consoleBody(errorCode: ErrorCode): ConsoleErrorBody {
  const { status } = errorRow(errorCode);
  return {
    timestamp: "2026-01-01T00:00:00.000Z",
    status,
    error: STATUS_CODES[status] ?? "",
    message: toldBy(errorCode).message,
    path: "/api/open/console/v1/apps",
    errorCode,
  };
}

function describe(status: number, codes: readonly ErrorCode[]): string {
  return `${STATUS_CODES[status]}: ${codes.join(", ")}`;
}

const REFUSAL = {
  type: "object",
  required: ["code", "message", "value", "reqNo"],
  properties: {
    code: { type: "string", description: "Names the kind of error; the page of errors of the contract has all" },
    message: { type: "string", description: "For people: mostly in Chinese, and not to be parsed" },
    value: { type: "null" },
    reqNo: { type: "string", description: "Finds the call in the console's requests, with the reason" },
  },
};

const RETRY_AFTER = {
  "Retry-After": { description: "Seconds to wait before another try", schema: { type: "integer" }, example: 1 },
};
