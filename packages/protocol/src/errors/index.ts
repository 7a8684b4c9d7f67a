export { ApiError, type ApiErrorOptions } from "./api-error.ts";
export { CARD_RULE_ERRORS } from "./cards.ts";
export { CONSOLE_ERRORS } from "./console/index.ts";
export { DELIVERY_FAILURES, type DeliveryFailure, DROP_REASONS, type DropReason } from "./deliveries.ts";
export { englishOf, errorCodesOf, type ToldError } from "./english.ts";
export { COMMAND_EXITS, SERVICE_EXITS } from "./exits.ts";
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
export { SIGN_IN_PROBLEMS, type SignInProblem } from "./sign-in-problems.ts";
export { STREAM_CLOSES, type StreamClose } from "./streams.ts";
