import type { BusinessRule } from "@portico/protocol";

/** One command of `portico`. */
export interface Command {
  /** One word, or two for a command of a group. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The command line, as help and usage errors show it. */
  usage: string;
  /** What its options do; shown below the usage. */
  help: string;
  /** What to do next about a refusal, by its rule, code or status, where the general advice does not fit this command. */
  advice?: Readonly<Record<string, string>>;
  /** Rules that it may break, where the words of an answer stand for several. */
  rules?: readonly BusinessRule[];
  /** Set where its calls are a member's, of which the service keeps no log to be asked. */
  asMember?: true;
  /**
   * Carries the command out and prints its result.
   *
   * @param args What follows the command's name.
   * @throws UsageError when the command line is wrong; FailureError for a failure told in its message; what the SDK throws.
   */
  run(args: string[]): Promise<void>;
}

/** The command line, or a file that stands for part of it, is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A failure whose message says all there is to say. */
export class FailureError extends Error {
  override readonly name = "FailureError";
}

/** The only argument of a command that takes exactly one. */
export function onlyArgument(positionals: string[], name: string, hint = ""): string {
  const [argument, ...more] = positionals;
  if (argument === undefined) throw new UsageError(`${name} is missing`);
  if (more.length > 0) throw new UsageError(`${more.length} arguments too many${hint}`);
  return argument;
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

/** One of some words in capitals, as it stands on the command line in capitals or not. */
export function oneOf<Word extends string>(words: readonly Word[], text: string, name: string): Word {
  const word = words.find((each) => each === text.toUpperCase());
  if (word !== undefined) return word;
  throw new UsageError(`${name} must be one of ${words.join(", ")}`);
}
