import type { CommanderError, CommandUnknownOpts } from "@commander-js/extra-typings";
import { closestMatch } from "leven";
import { type Command, MAX_SLIPS, UsageError } from "./command.ts";
import { isRunnable, nameOf, runnable } from "./program.ts";
import { printable } from "./terminal.ts";

/** Rewords an error of the parser. Values of options are omitted, because they may be secrets. */
export function usageErrorOf(error: CommanderError, parser: CommandUnknownOpts, command?: Command): UsageError {
  switch (error.code) {
    case "commander.missingArgument":
      return new UsageError(missing(parser));
    case "commander.excessArguments":
      return new UsageError(tooMany(parser) + (command?.tooMany ?? ""));
    case "commander.unknownOption":
      return new UsageError(unknownOption(parser, quoted(error.message)));
    case "commander.optionMissingArgument":
      return new UsageError(`${quoted(error.message)} needs a value`);
    default:
      return new UsageError(error.message.replace(/^error: /, ""));
  }
}

/**
 * Refuses an option where a value is expected: the value was forgotten, and the option would silently be lost.
 *
 * @throws UsageError
 */
export function checkValues(parser: CommandUnknownOpts, words: readonly string[]): void {
  const end = words.indexOf("--");
  const before = end === -1 ? words : words.slice(0, end);
  for (let at = 0; at < before.length; at++) {
    const option = parser.options.find(({ long, required }) => required && long === before[at]);
    if (option === undefined) continue;
    const value = before[++at];
    if (value === undefined || value === "-" || !value.startsWith("-")) continue;
    throw new UsageError(
      `${option.long} needs a value; one that begins with a hyphen is given as ${option.long}=VALUE`,
    );
  }
}

/** The error for an unknown command of a group, with the most similar one, or all of them. */
export function unknownCommand(group: CommandUnknownOpts, word = ""): string {
  const name = `${nameOf(group)} ${word}`.trim();
  const own = isRunnable(group) ? [group] : [];
  const names = [...own, ...runnable(group)].map(nameOf);
  const meant = closestMatch(name, names, { maxDistance: MAX_SLIPS });
  const hint = meant === undefined ? `commands: ${names.join(", ")}` : `did you mean "${meant}"?`;
  return `no command "${printable(name)}"; ${hint}`;
}

function missing({ registeredArguments }: CommandUnknownOpts): string {
  const names = registeredArguments.filter(({ required }) => required).map((each) => each.name());
  const last = names.pop();
  return names.length === 0 ? `${last} is missing` : `${names.join(", ")} and ${last} are needed`;
}

function tooMany({ args, registeredArguments }: CommandUnknownOpts): string {
  const excess = args.length - registeredArguments.length;
  return registeredArguments.length === 0
    ? "takes no arguments"
    : `${excess === 1 ? "1 argument" : `${excess} arguments`} too many`;
}

function unknownOption(parser: CommandUnknownOpts, text: string): string {
  const [option = text] = text.split("=", 1);
  const names = [...parser.options.flatMap(({ long }) => long ?? []), "--help"];
  const meant = closestMatch(option, names, { maxDistance: MAX_SLIPS });
  const help = `\`portico ${`${nameOf(parser)} --help`.trimStart()}\` lists those that there are`;
  return `unknown option "${option}"; ${meant === undefined ? help : `did you mean "${meant}"?`}`;
}

/** The option in a message of the parser, without the name of its value. */
function quoted(message: string): string {
  return /'([^\s']*)/.exec(message)?.[1] ?? "";
}
