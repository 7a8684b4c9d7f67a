import type { CommandUnknownOpts, Command as Parser } from "@commander-js/extra-typings";
import type { BusinessRule } from "@portico/protocol";

/** One command of `portico`. */
export interface Command {
  /** One word, or two for a command in a group. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The command line, as help and usage errors show it. */
  usage: string;
  /** Further information, shown below the options. */
  notes?: string;
  /** Example command lines, for the help. */
  examples: readonly [string, ...string[]];
  /** A hint that is appended to the error about too many arguments. */
  tooMany?: string;
  /** Advice for refusals, by rule, code or status, where the general advice does not fit this command. */
  advice?: Readonly<Record<string, string>>;
  /** The rules that the command may break, for answers whose text stands for several rules. */
  rules?: readonly BusinessRule[];
  /** Set when the command acts as a member: the request log does not contain these calls. */
  asMember?: true;
  /** Reorders the arguments after the command's name so that they cannot be misparsed. */
  arrange?(words: readonly string[]): string[];
  /**
   * Declares arguments, options and the action. The action runs the command and prints its result. It throws UsageError
   * when the command line is wrong (parsers of options do as well), FailureError for a failure that its message
   * explains, and the errors of the SDK.
   */
  configure(parser: Parser): CommandUnknownOpts;
}

/** The largest edit distance at which a word counts as a misspelling of another. */
export const MAX_SLIPS = 2;

/** The command line, or a file that replaces part of it, is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A failure that needs no further explanation than its message. */
export class FailureError extends Error {
  override readonly name = "FailureError";
}

/** Parses a message id on the command line. */
export function messageIdOf(text: string, name: string): number {
  return wholeNumber(text, name, "the id of a message, a whole number");
}

/** Parses a positive whole number on the command line; the error says that `name` must be `what`. */
export function wholeNumber(text: string, name: string, what = "a whole number from 1 on"): number {
  const value = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(value)) throw new UsageError(`${name} must be ${what}`);
  return value;
}
