import { BUSINESS_RULES, COMMAND_EXITS, ERRORS, englishOf, rulesAnswered, type ToldError } from "@portico/protocol";
import { ConsoleRefusedError } from "@portico/protocol/client";
import { ApiRefusedError, TransportError } from "@portico/sdk";
import { type Command, FailureError, UsageError } from "./command.ts";
import { isReqNo } from "./requests.ts";
import { complain, printable } from "./terminal.ts";

/** Advice for refusals by code (docs/contract/errors.md), when the message identifies no rule. */
const ADVICE: Readonly<Record<string, string>> = {
  [ERRORS.UNAUTHENTICATED.code]:
    "Check app id, credential id and secret, and this machine's clock; `portico sign --explain` shows what is signed.",
  [ERRORS.APP_NOT_ACTIVE.code]: "The app is not ACTIVE: submit it for review, or ask the operator to enable it.",
  [ERRORS.INVALID_REQUEST.code]: "Correct what the message names, then send again.",
  [ERRORS.SCOPE_MISSING.code]:
    "Ask for the scope in the console and have it granted; `portico whoami` lists those held.",
  [ERRORS.FORBIDDEN.code]: "What the call asks for is not this app's to do, for the reason given.",
  [ERRORS.BODY_TOO_LARGE.code]: "Send less at once.",
  [ERRORS.INTERNAL.code]: "Try again later; if it stays, give the reqNo to the operator of the service.",
};
const OTHER_ADVICE = "Give the reqNo to the operator of the service.";

/** Advice for refusals of the console API, by HTTP status. */
const CONSOLE_ADVICE: Readonly<Record<string, string>> = {
  "400": "Correct what the message names.",
  "401": "Check phone, password and channel.",
  "403": "Only the owner of an app may do this: log in as that developer.",
  "404": "Check the app's id, and that this developer belongs to the app's tenant.",
  "429": "Wait a while, then try again.",
};
const OTHER_CONSOLE_ADVICE = "Try again later; if it stays, ask the operator of the service.";

/**
 * Prints to standard error what went wrong and what to do next.
 *
 * @returns the exit code: 2 for wrong usage, otherwise 1.
 */
export function explainFailure(error: unknown, command: Command): number {
  complain(...failureLines(error, command));
  return error instanceof UsageError ? COMMAND_EXITS.USAGE : COMMAND_EXITS.FAILED;
}

/** What went wrong, and what to do next. */
export function failureLines(error: unknown, command: Command): string[] {
  if (error instanceof UsageError) {
    return [`portico ${command.name}: ${printable(error.message)}`, `usage: ${command.usage}`];
  }
  if (error instanceof ApiRefusedError) {
    const { code, message, reqNo } = error;
    const what = `refused: ${code} ${printable(message)} (reqNo ${printable(reqNo)})`;
    return [what, ...inEnglish(error), adviceFor(error, command)];
  }
  if (error instanceof ConsoleRefusedError) {
    const what = `refused: ${error.status} ${printable([error.error, error.message].filter(Boolean).join(": "))}`;
    return [what, ...inEnglish(error), consoleAdvice(error, command)];
  }
  if (error instanceof TransportError) {
    return [`no verdict: ${printable(error.message)}`, transportAdvice(error)];
  }
  if (error instanceof FailureError) return [`portico ${command.name}: ${printable(error.message)}`];
  return [`portico ${command.name}: unexpected failure`, printable(stackOf(error))];
}

/** An English translation of the message, for readers who do not know Chinese; empty when there is none. */
function inEnglish(told: ToldError): string[] {
  const english = englishOf(told);
  return english === undefined ? [] : [printable(english)];
}

function adviceFor(refusal: ApiRefusedError, command: Command): string {
  const { code, reqNo } = refusal;
  if (code === ERRORS.QUOTA_EXCEEDED.code) return quotaAdvice(refusal);
  const advice = ruleAdvice(refusal, command) ?? command.advice?.[code] ?? ADVICE[code] ?? OTHER_ADVICE;
  const isExplained = EXPLAINED_CODES.has(code) && !command.asMember && isReqNo(reqNo);
  return isExplained ? `${advice}\n\`portico requests ${reqNo}\` tells why.` : advice;
}

/** Refusals about which the request log says more than the answer. */
const EXPLAINED_CODES: ReadonlySet<string> = new Set([
  ERRORS.UNAUTHENTICATED.code,
  ERRORS.FORBIDDEN.code,
  ERRORS.ASSIGNMENT_FAILED.code,
  ERRORS.INTERNAL.code,
]);

/** Refusals whose text does not identify the rule: an internal error or another check may have the same text. */
const UNSAID_CODES: ReadonlySet<string> = new Set([ERRORS.INTERNAL.code, ERRORS.UNAUTHENTICATED.code]);

/**
 * Advice for the rule that an answer names; if its text stands for several rules, for the one that fits the command.
 */
function ruleAdvice({ code, message }: ApiRefusedError, command: Command): string | undefined {
  const rules = UNSAID_CODES.has(code) ? [] : rulesAnswered(code, message);
  const rule = rules.find((each) => command.rules?.includes(each)) ?? rules[0];
  return rule && (command.advice?.[rule] ?? BUSINESS_RULES[rule].advice.join("\n"));
}

function quotaAdvice({ message, retryAfterSeconds }: ApiRefusedError): string {
  const wait = `Wait ${retryAfterSeconds === undefined ? "a while" : `${retryAfterSeconds} s`}, then send again:`;
  return message === ERRORS.QUOTA_EXCEEDED.message
    ? `${wait} the app has used up its quota, or has too many calls under way.`
    : `${wait} the service has no room for it at the moment, as the message says.`;
}

function consoleAdvice(refusal: ConsoleRefusedError, command: Command): string {
  const { status, retryAfterSeconds } = refusal;
  if (refusal.isNoRoute) return NO_CONSOLE_ADVICE;
  if (retryAfterSeconds !== undefined) return `Wait ${retryAfterSeconds} s, then try again.`;
  return command.advice?.[status] ?? CONSOLE_ADVICE[status] ?? OTHER_CONSOLE_ADVICE;
}

/** There is no console at this address: the service uses separate hosts, or it is a different service. */
const NO_CONSOLE_ADVICE =
  "There is no console API at this address. In production it answers at the console's own host alone: give that as --base-url (the service's consoleUrl).";

function transportAdvice(failure: TransportError): string {
  if (failure.httpStatus === undefined) return "Is the service running? Start it with `npm start`.";
  if (failure.httpStatus === 404) {
    return "There is no such API at this address: check the base URL. The console's own host serves the console alone.";
  }
  return "Something answers there, but not as the service does: check the base URL, and any proxy on the way.";
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
