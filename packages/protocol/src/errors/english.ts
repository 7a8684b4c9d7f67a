import { ERROR_CODES, type ErrorCode, errorRow, isErrorCode } from "./fault.ts";
import { ERRORS } from "./open.ts";
import { fillTemplate, readTemplate, singular } from "./template.ts";

/** The members of an answer that identify its error. */
export interface ToldError {
  message: string;
  /** The six-digit code of an envelope. */
  code?: string | undefined;
  /** In answers of the console API only. */
  errorCode?: string | undefined;
}

/** The message of an answer in English; undefined when the tables do not have it, e.g. for a newer service. */
export function englishOf(error: ToldError): string | undefined {
  const [errorCode] = errorCodesOf(error);
  if (errorCode === undefined) return undefined;
  const { message, english } = errorRow(errorCode);
  return singular(fillTemplate(english, readTemplate(message, error.message) ?? {}));
}

/** The rows of the tables whose message matches an answer, the most specific first. The console API names its row. */
export function errorCodesOf({ message, code, errorCode }: ToldError): ErrorCode[] {
  const candidates = errorCode === undefined ? codesOf(code) : [errorCode].filter(isErrorCode);
  return candidates.filter((candidate) => readTemplate(errorRow(candidate).message, message) !== null);
}

/** The rows that are answered with this code. Those with more words of their own come first: others match them too. */
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
