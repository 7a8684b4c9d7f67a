export { ApiError, type ApiErrorOptions } from "./api-error.ts";
export { CARD_RULE_ERRORS } from "./cards.ts";
export { CONSOLE_ERRORS } from "./console.ts";
export { englishOf, type ToldError } from "./english.ts";
export {
  API_ERRORS,
  type ApiErrorCode,
  type ConsoleErrorCode,
  ERROR_CODES,
  type ErrorCode,
  type ErrorRow,
  errorRow,
  type Fault,
  fault,
  isErrorCode,
  type Stated,
  wordsOf,
} from "./fault.ts";
export { type ApiMessage, ERRORS, type ErrorKind, RETRYABLE_CODES, SUCCESS_CODE } from "./open.ts";
