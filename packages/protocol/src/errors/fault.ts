import { CAPACITY_ERRORS } from "./capacity.ts";
import { CARD_ERRORS } from "./cards.ts";
import { CONSOLE_ERRORS } from "./console/index.ts";
import { CONTENT_ERRORS } from "./content.ts";
import { ERRORS, type ErrorKind } from "./open.ts";
import { PEOPLE_ERRORS } from "./people.ts";
import { REQUEST_ERRORS } from "./request.ts";
import { RULE_ERRORS } from "./rules.ts";
import { SIGN_IN_ERRORS } from "./sign-in.ts";
import { fillTemplate, type ParamNames, type Params } from "./template.ts";
import { UPLOAD_ERRORS } from "./upload.ts";

/** All errors that have a row of {@link ERRORS} as their kind, and their own message. */
export const API_ERRORS = {
  ...REQUEST_ERRORS,
  ...CONTENT_ERRORS,
  ...UPLOAD_ERRORS,
  ...CARD_ERRORS,
  ...RULE_ERRORS,
  ...CAPACITY_ERRORS,
  ...PEOPLE_ERRORS,
  ...SIGN_IN_ERRORS,
} as const;

/** Every error with a code of the open API. The console API uses only its status. */
export type ApiErrorCode = ErrorKind | keyof typeof API_ERRORS;
/** Every error that only the console API answers. */
export type ConsoleErrorCode = keyof typeof CONSOLE_ERRORS;
/** Stable name of an error; the `errorCode` of the console API. */
export type ErrorCode = ApiErrorCode | ConsoleErrorCode;

const TABLE = { ...ERRORS, ...API_ERRORS, ...CONSOLE_ERRORS } as const;

type NamesOf<Code extends ErrorCode> = ParamNames<(typeof TABLE)[Code]["message"]>;

/** Errors with a constant message. */
type FixedCode<Code extends ErrorCode> = Code extends ErrorCode
  ? [NamesOf<Code>] extends [never]
    ? Code
    : never
  : never;

/** An error whose message contains values, with these. Created by {@link fault}. */
export interface Fault<Code extends ErrorCode = ErrorCode> {
  readonly errorCode: Code;
  readonly params: Params;
}

/**
 * What identifies an error's message: its code if the message is constant, else a {@link fault}. Messages outside the
 * tables are impossible.
 */
export type Stated<Code extends ErrorCode = ErrorCode> = FixedCode<Code> | Fault<Code>;

/** Creates an error whose message contains values. `params` needs a value for each name in braces. */
export function fault<Code extends Exclude<ErrorCode, FixedCode<ErrorCode>>>(
  errorCode: Code,
  params: Readonly<Record<NamesOf<Code>, string | number>>,
): Fault<Code> {
  return { errorCode, params };
}

/** The properties of an error. */
export interface ErrorRow {
  status: number;
  /** The row of {@link ERRORS} with its code; null for an error of the console API only. */
  kind: ErrorKind | null;
  /** A name in braces stands for a value. */
  message: string;
  english: string;
}

/** Every errorCode, those of the open API's rows first. */
export const ERROR_CODES = Object.keys(TABLE) as ErrorCode[];

/** The properties of an error. */
export function errorRow(errorCode: ErrorCode): ErrorRow {
  const { message, english, ...row }: { message: string; english: string; kind?: ErrorKind; status?: number } =
    TABLE[errorCode];
  const kind = row.kind ?? (isErrorKind(errorCode) ? errorCode : null);
  const status = kind === null ? row.status : ERRORS[kind].status;
  if (status === undefined) throw new Error(`${errorCode} has no status`);
  return { status, kind, message, english };
}

/** Whether a text, e.g. of an answer, is an errorCode. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(TABLE, text);
}

function isErrorKind(text: string): text is ErrorKind {
  return Object.hasOwn(ERRORS, text);
}

/** The code and the message of an error. */
export function wordsOf<Code extends ErrorCode>(stated: Stated<Code>): { errorCode: Code; message: string } {
  const { errorCode, params }: Fault<Code> = typeof stated === "string" ? { errorCode: stated, params: {} } : stated;
  return { errorCode, message: fillTemplate(TABLE[errorCode].message, params) };
}
