import { Argument, Option } from "@commander-js/extra-typings";
import { UsageError, wholeNumber } from "./command.ts";

/** An option whose value is one of some words; they stand in its help, and the shell completes them. */
export function wordOption<const Flags extends string, const Word extends string>(
  flags: Flags,
  description: string,
  words: readonly Word[],
) {
  const [name = flags] = flags.split(" ", 1);
  const option = new Option(flags, description).argParser((text: string) => oneOf(words, text, name));
  // Not by `choices()`, which takes words in capitals only.
  option.argChoices = [...words];
  return option;
}

/** The same for an argument, such as `<SHELL>`. */
export function wordArgument<const Usage extends string, const Word extends string>(
  usage: Usage,
  words: readonly Word[],
) {
  const name = usage.replace(/^<(.*)>$/, "$1");
  const argument = new Argument(usage).argParser((text: string) => oneOf(words, text, name));
  argument.argChoices = [...words];
  return argument;
}

/** Takes the words as they are written, and in capitals where they are written so. */
function oneOf<Word extends string>(words: readonly Word[], text: string, name: string): Word {
  const word = words.find((each) => each === text || each === text.toUpperCase());
  if (word !== undefined) return word;
  throw new UsageError(`${name} must be one of ${words.join(", ")}`);
}

/** Reads the whole number that is the value of an option. */
export function numberFor(name: string): (text: string) => number {
  return (text) => wholeNumber(text, name);
}

/** Adds a value to those of an option that can be repeated. */
export function collect(value: string, former: string[] = []): string[] {
  return [...former, value];
}
