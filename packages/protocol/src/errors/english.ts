import { ERROR_CODES, type ErrorCode, errorRow, isErrorCode } from "./fault.ts";
import { ERRORS } from "./open.ts";
import { fillTemplate, readTemplate } from "./template.ts";

/** An error as an answer tells it. */
export interface ToldError {
  message: string;
  /** The code of six digits of an envelope. */
  code?: string | undefined;
  /** Of an answer of the console API. */
  errorCode?: string | undefined;
}

/**
 * What an answer's message says, in English; undefined for what the tables do not have, of a newer service for example.
 */
export function englishOf({ message, code, errorCode }: ToldError): string | undefined {
  for (const candidate of errorCode === undefined ? codesOf(code) : [errorCode]) {
    if (!isErrorCode(candidate)) continue;
    const row = errorRow(candidate);
    const params = readTemplate(row.message, message);
    if (params !== null) return fillTemplate(row.english, params);
  }
  return undefined;
}

/** What an envelope with this code may say, those with more words of their own first: the others would take it for theirs. */
function codesOf(code: string | undefined): readonly ErrorCode[] {
  return MOST_WORDS_FIRST.filter((errorCode) => {
    const { kind } = errorRow(errorCode);
    return kind !== null && ERRORS[kind].code === code;
  });
}

const MOST_WORDS_FIRST = ERROR_CODES.toSorted((one, other) => ownWords(other) - ownWords(one));

function ownWords(errorCode: ErrorCode): number {
  return errorRow(errorCode).message.replaceAll(/\{\w+\}/g, "").length;
}
