import { type CommandUnknownOpts, Command as Parser } from "@commander-js/extra-typings";
import { type Command, UsageError } from "./command.ts";

/** The longest line of help, however wide the terminal is. */
const MAX_COLUMNS = 120;

const NOTES = `
Examples:
  portico serve
  portico send --to group:g_demo "Hello from my first bot"
  portico apps create BOT "My bot"

\`portico COMMAND --help\` tells more about each. \`portico completion SHELL\` makes the shell complete them.`;

/** A program and its commands. */
export interface Program {
  name: string;
  commands: readonly Command[];
}

/** The parser of the whole command line. It prints help when requested; then, and for errors, it throws. */
export function programOf({ name, commands }: Program): CommandUnknownOpts {
  const program = new Parser(name)
    .usage("COMMAND [OPTIONS]")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({
      styleTitle: (title) => title.replace(/^Usage:$/, "usage:"),
      subcommandTerm: nameOf,
      visibleCommands: runnable,
    })
    .configureOutput({
      getOutHelpWidth: () => widthOf(process.stdout),
      getErrHelpWidth: () => widthOf(process.stderr),
      // The code that catches the error prints it.
      outputError: () => {},
    })
    .addHelpText("after", name === "portico" ? NOTES : notesOf(name));
  for (const command of commands) addCommand(program, command);
  return program;
}

function notesOf(program: string): string {
  return `
Without a command it runs the service, as \`${program} serve\` does. \`${program} COMMAND --help\` tells more about each.`;
}

/** Help that names the program as it was called; commands are written for `portico`. */
function calledAs(program: string, text: string): string {
  return program === "portico" ? text : text.replaceAll(/\bportico (?=[a-z])/g, `${program} `);
}

function addCommand(program: CommandUnknownOpts, command: Command): void {
  const named = (text: string) => calledAs(program.name(), text);
  const words = command.name.split(" ");
  const last = words.pop() ?? "";
  const group = words.reduce((parent, word) => childOf(parent, word) ?? addGroup(parent, word), program);
  const parser = group
    .command(last)
    .description(command.summary)
    .usage(command.usage.slice(`portico ${command.name}`.length).trimStart())
    .hook("preSubcommand", refuseOptions);
  if (command.notes !== undefined) parser.addHelpText("after", `\n${named(command.notes)}`);
  command.configure(parser);
  const heading = command.examples.length === 1 ? "Example:" : "Examples:";
  parser.addHelpText("after", ["", heading, ...command.examples.map((example) => `  ${named(example)}`)].join("\n"));
}

function addGroup(parent: CommandUnknownOpts, word: string): CommandUnknownOpts {
  return parent
    .command(word)
    .usage("COMMAND [OPTIONS]")
    .addHelpText(
      "after",
      `\n\`${rootOf(parent).name()} ${word} COMMAND --help\` tells more about each, with examples.`,
    );
}

function rootOf(parser: CommandUnknownOpts): CommandUnknownOpts {
  return parser.parent === null ? parser : rootOf(parser.parent);
}

/** A command that is also a group has its own options; before the name of a subcommand they would be ignored. */
function refuseOptions(group: CommandUnknownOpts, called: CommandUnknownOpts): void {
  if (Object.keys(group.opts()).length === 0) return;
  throw new UsageError(`options go behind the whole name of a command: portico ${nameOf(called)} [OPTIONS]`);
}

/** The command with this name in a group. */
export function childOf(group: CommandUnknownOpts, word: string): CommandUnknownOpts | undefined {
  return group.commands.find((each) => each.name() === word);
}

/** The name of a parser on the command line, such as `card check`; empty for the program itself. */
export function nameOf(parser: CommandUnknownOpts): string {
  return parser.parent === null ? "" : `${nameOf(parser.parent)} ${parser.name()}`.trimStart();
}

/** All runnable commands below a group, in order: those with a description; mere groups have none. */
export function runnable(group: CommandUnknownOpts): CommandUnknownOpts[] {
  return group.commands.flatMap((each) => [...(isRunnable(each) ? [each] : []), ...runnable(each)]);
}

export function isRunnable(parser: CommandUnknownOpts): boolean {
  return parser.description() !== "";
}

/** The usage line of a group or of the program. */
export function usageOf(group: CommandUnknownOpts): string {
  return [`usage: ${rootOf(group).name()}`, nameOf(group), group.usage()].filter(Boolean).join(" ");
}

function widthOf(stream: NodeJS.WriteStream): number {
  return Math.min(stream.columns ?? MAX_COLUMNS, MAX_COLUMNS);
}
