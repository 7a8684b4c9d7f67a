import { Argument, Option } from "@commander-js/extra-typings";
import { UsageError, wholeNumber } from "./command.ts";

/** An option with a fixed set of values; the help lists them, and the shell completes them. */
export function wordOption<const Flags extends string, const Word extends string>(
  flags: Flags,
  description: string,
  words: readonly Word[],
) {
  const [name = flags] = flags.split(" ", 1);
  const option = new Option(flags, description).argParser((text: string) => oneOf(words, text, name));
  // Without `choices()`, which would not accept lower case.
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

/** Accepts the values as defined; those in capitals are accepted in lower case, too. */
function oneOf<Word extends string>(words: readonly Word[], text: string, name: string): Word {
  const word = words.find((each) => each === text || each === text.toUpperCase());
  if (word !== undefined) return word;
  throw new UsageError(`${name} must be one of ${words.join(", ")}`);
}

/** Returns a parser for an option whose value is a whole number. */
export function numberFor(name: string): (text: string) => number {
  return (text) => wholeNumber(text, name);
}

/** Adds a value to those of a repeatable option. */
export function collect(value: string, former: string[] = []): string[] {
  return [...former, value];
}
