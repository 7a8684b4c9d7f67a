import { ERRORS } from "@portico/protocol";
import { ApiRefusedError, TransportError } from "@portico/sdk";
import { type Command, FailureError, UsageError } from "./command.ts";
import { ConsoleRefusedError } from "./console-exchange.ts";
import { isReqNo } from "./requests.ts";
import { complain, printable } from "./terminal.ts";

/** What to do next about a refusal, by its code (spec.md, "Errors"). */
const ADVICE: Readonly<Record<string, string>> = {
  [ERRORS.UNAUTHENTICATED.code]:
    "Check app id, credential id and secret, and this machine's clock; `portico sign --explain` shows what is signed.",
  [ERRORS.APP_NOT_ACTIVE.code]: "The app is not ACTIVE: submit it for review, or ask the operator to enable it.",
  [ERRORS.INVALID_REQUEST.code]: "Correct what the message names, then send again.",
  [ERRORS.SCOPE_MISSING.code]:
    "Ask for the scope in the console and have it granted; `portico whoami` lists those held.",
  [ERRORS.FORBIDDEN.code]:
    "Install the bot in the conversation first, and check that the id is that of the conversation.",
  [ERRORS.BODY_TOO_LARGE.code]: "Send less at once.",
  [ERRORS.INTERNAL.code]: "Try again later; if it stays, give the reqNo to the operator of the service.",
};
const OTHER_ADVICE = "Give the reqNo to the operator of the service.";

/** The same for refusals of the console API, by their HTTP status. */
const CONSOLE_ADVICE: Readonly<Record<string, string>> = {
  "400": "Correct what the message names.",
  "401": "Check phone, password and channel.",
  "403": "Only the owner of an app may do this: log in as that developer.",
  "404": "Check the app's id, and that this developer belongs to the app's tenant.",
  "429": "Wait a while, then try again.",
};
const OTHER_CONSOLE_ADVICE = "Try again later; if it stays, ask the operator of the service.";

/** Tells on standard error what went wrong and what to do next. Returns the exit code: 2 for wrong usage, else 1. */
export function explainFailure(error: unknown, command: Command): number {
  if (error instanceof UsageError || isParseArgsError(error)) {
    complain(`portico ${command.name}: ${printable(error.message)}`, `usage: ${command.usage}`);
    return 2;
  }
  if (error instanceof ApiRefusedError) {
    complain(`refused: ${error.code} ${printable(error.message)} (reqNo ${printable(error.reqNo)})`);
    complain(adviceFor(error, command));
  } else if (error instanceof ConsoleRefusedError) {
    complain(`refused: ${error.status} ${printable([error.error, error.message].filter(Boolean).join(": "))}`);
    complain(consoleAdvice(error, command));
  } else if (error instanceof TransportError) {
    complain(`no verdict: ${printable(error.message)}`);
    complain(transportAdvice(error));
  } else if (error instanceof FailureError) {
    complain(`portico ${command.name}: ${printable(error.message)}`);
  } else {
    complain(`portico ${command.name}: unexpected failure`, printable(stackOf(error)));
  }
  return 1;
}

function adviceFor(refusal: ApiRefusedError, command: Command): string {
  if (refusal.code === ERRORS.QUOTA_EXCEEDED.code) {
    const wait = refusal.retryAfterSeconds === undefined ? "a while" : `${refusal.retryAfterSeconds} s`;
    return `Wait ${wait}, then send again: the app has used up its quota, or has too many calls under way.`;
  }
  const advice = command.advice?.[refusal.code] ?? ADVICE[refusal.code] ?? OTHER_ADVICE;
  const isExplained = refusal.code === ERRORS.UNAUTHENTICATED.code && isReqNo(refusal.reqNo);
  return isExplained ? `${advice}\n\`portico requests ${refusal.reqNo}\` tells why.` : advice;
}

function consoleAdvice({ status, retryAfterSeconds }: ConsoleRefusedError, command: Command): string {
  if (retryAfterSeconds !== undefined) return `Wait ${retryAfterSeconds} s, then try again.`;
  return command.advice?.[status] ?? CONSOLE_ADVICE[status] ?? OTHER_CONSOLE_ADVICE;
}

function transportAdvice(failure: TransportError): string {
  if (failure.httpStatus === undefined) return "Is the service running? Start it with `npm start`.";
  return "Something answers there, but not as the service does: check the base URL, and any proxy on the way.";
}

function isParseArgsError(error: unknown): error is Error {
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
