import type { CommandUnknownOpts, Command as Parser } from "@commander-js/extra-typings";
import type { BusinessRule } from "@portico/protocol";

/** One command of `portico`. */
export interface Command {
  /** One word, or two for a command of a group. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The command line, as help and usage errors show it. */
  usage: string;
  /** What there is to know besides; shown below the options. */
  notes?: string;
  /** Command lines that do something useful, for its help. */
  examples: readonly [string, ...string[]];
  /** Ends the message about too many arguments with what was meant, perhaps. */
  tooMany?: string;
  /** What to do next about a refusal, by its rule, code or status, where the general advice does not fit this command. */
  advice?: Readonly<Record<string, string>>;
  /** Rules that it may break, where the words of an answer stand for several. */
  rules?: readonly BusinessRule[];
  /** Set where its calls are a member's, of which the service keeps no log to be asked. */
  asMember?: true;
  /** Puts what follows the command's name in an order that leaves no doubt. */
  arrange?(words: readonly string[]): string[];
  /**
   * Declares arguments and options, and the action, which carries the command out and prints its result.
   *
   * The action throws UsageError when the command line is wrong, which parsers of options do as well; FailureError for a
   * failure told in its message; and what the SDK throws.
   */
  configure(parser: Parser): CommandUnknownOpts;
}

/** Most edits at which a word still counts as a slip for another. */
export const MAX_SLIPS = 2;

/** The command line, or a file that stands for part of it, is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A failure whose message says all there is to say. */
export class FailureError extends Error {
  override readonly name = "FailureError";
}

/** A message id as it stands on the command line. */
export function messageIdOf(text: string, name: string): number {
  return wholeNumber(text, name, "the id of a message, a whole number");
}

/** A whole number from 1 on as it stands on the command line; the error says that `name` must be `what`. */
export function wholeNumber(text: string, name: string, what = "a whole number from 1 on"): number {
  const value = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(value)) throw new UsageError(`${name} must be ${what}`);
  return value;
}
