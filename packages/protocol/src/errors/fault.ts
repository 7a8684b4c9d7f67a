import { CAPACITY_ERRORS } from "./capacity.ts";
import { CARD_ERRORS } from "./cards.ts";
import { CONSOLE_ERRORS } from "./console.ts";
import { ERRORS, type ErrorKind } from "./open.ts";
import { PEOPLE_ERRORS } from "./people.ts";
import { CONTENT_ERRORS, REQUEST_ERRORS, UPLOAD_ERRORS } from "./request.ts";
import { RULE_ERRORS } from "./rules.ts";
import { fillTemplate, type ParamNames, type Params } from "./template.ts";

/** All that is answered with a row of {@link ERRORS} and words of its own. */
export const API_ERRORS = {
  ...REQUEST_ERRORS,
  ...CONTENT_ERRORS,
  ...UPLOAD_ERRORS,
  ...CARD_ERRORS,
  ...RULE_ERRORS,
  ...CAPACITY_ERRORS,
  ...PEOPLE_ERRORS,
} as const;

/** Every error that is answered with one of the codes of the open API. The console API answers them by their status. */
export type ApiErrorCode = ErrorKind | keyof typeof API_ERRORS;
/** Every error that the console API alone answers. */
export type ConsoleErrorCode = keyof typeof CONSOLE_ERRORS;
/** Stable name of an error: the `errorCode` of the console API. */
export type ErrorCode = ApiErrorCode | ConsoleErrorCode;

const TABLE = { ...ERRORS, ...API_ERRORS, ...CONSOLE_ERRORS } as const;

type NamesOf<Code extends ErrorCode> = ParamNames<(typeof TABLE)[Code]["message"]>;

/** Those whose words are fixed. */
type FixedCode<Code extends ErrorCode> = Code extends ErrorCode
  ? [NamesOf<Code>] extends [never]
    ? Code
    : never
  : never;

/** An error whose words name values, with these. Made by {@link fault}. */
export interface Fault<Code extends ErrorCode = ErrorCode> {
  readonly errorCode: Code;
  readonly params: Params;
}

/** What an error says: its code where the words are fixed, else a {@link fault}. There are no words outside the tables. */
export type Stated<Code extends ErrorCode = ErrorCode> = FixedCode<Code> | Fault<Code>;

/** An error whose words name values. `params` has a value for each name in braces in its message. */
export function fault<Code extends Exclude<ErrorCode, FixedCode<ErrorCode>>>(
  errorCode: Code,
  params: Readonly<Record<NamesOf<Code>, string | number>>,
): Fault<Code> {
  return { errorCode, params };
}

/** What is known of an error. */
export interface ErrorRow {
  status: number;
  /** The row of {@link ERRORS} whose code it is answered with; null for an error of the console API alone. */
  kind: ErrorKind | null;
  /** A name in braces stands for a value. */
  message: string;
  english: string;
}

/** Every errorCode there is, those of the open API's own rows first. */
export const ERROR_CODES = Object.keys(TABLE) as ErrorCode[];

/** What is known of an error by its code. */
export function errorRow(errorCode: ErrorCode): ErrorRow {
  const { message, english, ...row }: { message: string; english: string; kind?: ErrorKind; status?: number } =
    TABLE[errorCode];
  const kind = row.kind ?? (isErrorKind(errorCode) ? errorCode : null);
  const status = kind === null ? row.status : ERRORS[kind].status;
  if (status === undefined) throw new Error(`${errorCode} has no status`);
  return { status, kind, message, english };
}

/** Whether a text, of an answer for example, is an errorCode. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(TABLE, text);
}

function isErrorKind(text: string): text is ErrorKind {
  return Object.hasOwn(ERRORS, text);
}

/** The code of what an error says, and its words as the contract has them. */
export function wordsOf<Code extends ErrorCode>(stated: Stated<Code>): { errorCode: Code; message: string } {
  const { errorCode, params }: Fault<Code> = typeof stated === "string" ? { errorCode: stated, params: {} } : stated;
  return { errorCode, message: fillTemplate(TABLE[errorCode].message, params) };
}
