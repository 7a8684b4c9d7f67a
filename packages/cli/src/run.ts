import { CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { COMMAND_EXITS } from "@portico/protocol";
import { explainFailure } from "./failure.ts";
import { childOf, isRunnable, nameOf, type Program, programOf, usageOf } from "./program.ts";
import { complain, printable } from "./terminal.ts";
import { checkValues, unknownCommand, usageErrorOf } from "./usage-fault.ts";

/**
 * Runs the command of a program that `args` name.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage.
 */
export async function run(args: readonly string[], { name, commands }: Program): Promise<number> {
  const program = programOf({ name, commands });
  if (args.length === 0) {
    program.outputHelp({ error: true });
    return COMMAND_EXITS.USAGE;
  }
  const words = args[0] === "help" ? [...args.slice(1), "--help"] : args;
  const { parser, depth } = placeOf(program, words);
  const [path, rest] = [words.slice(0, depth), words.slice(depth)];
  if (isUnknown(parser, rest[0])) {
    complain(`${name}: ${unknownCommand(parser, rest[0])}`, usageOf(program));
    return COMMAND_EXITS.USAGE;
  }
  const command = commands.find((each) => each.name === nameOf(parser));
  try {
    checkValues(parser, rest);
    await program.parseAsync([...path, ...(command?.arrange?.(rest) ?? rest)], { from: "user" });
    return COMMAND_EXITS.DONE;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === COMMAND_EXITS.DONE) return COMMAND_EXITS.DONE;
    const fault = error instanceof CommanderError ? usageErrorOf(error, parser, command) : error;
    if (command !== undefined) return explainFailure(fault, command);
    complain(`${name}: ${fault instanceof Error ? printable(fault.message) : fault}`, usageOf(parser));
    return COMMAND_EXITS.USAGE;
  }
}

/** The parser that the leading words name, and the number of these words. */
function placeOf(program: CommandUnknownOpts, words: readonly string[]) {
  let parser = program;
  let depth = 0;
  for (const word of words) {
    const child = childOf(parser, word);
    if (child === undefined) break;
    parser = child;
    depth++;
  }
  return { parser, depth };
}

/** A group takes no arguments, so a word after it must be one of its commands; a mere group requires one. */
function isUnknown(parser: CommandUnknownOpts, word: string | undefined): boolean {
  if (parser.commands.length === 0 || word?.startsWith("-")) return false;
  return word !== undefined || !isRunnable(parser);
}
