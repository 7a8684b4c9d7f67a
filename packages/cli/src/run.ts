import type { Command } from "./command.ts";
import { provision } from "./commands/provision.ts";
import { read } from "./commands/read.ts";
import { send } from "./commands/send.ts";
import { serve } from "./commands/serve.ts";
import { sign } from "./commands/sign.ts";
import { whoami } from "./commands/whoami.ts";
import { explainFailure } from "./failure.ts";
import { nearest } from "./nearest.ts";
import { columns, complain, print, printable } from "./terminal.ts";

const COMMANDS: readonly Command[] = [serve, provision, send, read, whoami, sign];

/** Runs the command that `args` name. Returns the exit code: 0 done, 1 failed, 2 wrongly used. */
export async function run(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    complain(overview());
    return 2;
  }
  if (name === "--help" || name === "-h") {
    print(overview());
    return 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) return unknownCommand(name);
  if (asksForHelp(rest)) {
    print(`${command.summary}\n\nusage: ${command.usage}\n\n${command.help}`);
    return 0;
  }
  try {
    await command.run(rest);
    return 0;
  } catch (error) {
    return explainFailure(error, command);
  }
}

function overview(): string {
  const rows = COMMANDS.map(({ name, summary }) => [`  ${name}`, summary] as const);
  const list = columns(rows).join("\n");
  return `usage: portico COMMAND [OPTIONS]\n\n${list}\n\n\`portico COMMAND --help\` tells more about each.`;
}

function unknownCommand(name: string): number {
  const names = COMMANDS.map((command) => command.name);
  const meant = nearest(name, names);
  const hint = meant === undefined ? `commands: ${names.join(", ")}` : `did you mean "${meant}"?`;
  complain(`portico: no command "${printable(name)}"; ${hint}`, "usage: portico COMMAND [OPTIONS]");
  return 2;
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}
