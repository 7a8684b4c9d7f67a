import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { nameOf } from "../program.ts";

/** A position in the command line after certain words, and what can follow there. */
export interface Place {
  /** The words so far, without `portico`. */
  path: string;
  commands: { word: string; summary: string }[];
  options: CompletedOption[];
  /** The possible values of its arguments, if they are fixed. */
  words: string[];
  /** Whether an argument is a file. */
  files: boolean;
}

/** An option, as needed for completion. */
export interface CompletedOption {
  flag: string;
  summary: string;
  /** The kind of its value; null for a flag. */
  value: { words: string[] } | "file" | "text" | null;
}

/** All places of the command line; the program's own is the first. */
export function placesOf(parser: CommandUnknownOpts): Place[] {
  const commands = parser.commands.map((each) => ({
    word: each.name(),
    summary: each.description() || each.commands.map((child) => child.name()).join(", "),
  }));
  const options = parser.options.flatMap(({ long, description, flags, required, argChoices, hidden }) =>
    long && !hidden
      ? [{ flag: long, summary: description, value: required ? completedBy(flags, argChoices) : null }]
      : [],
  );
  const help: CompletedOption = { flag: "--help", summary: "show this help", value: null };
  const words = parser.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const files = parser.registeredArguments.some((argument) => argument.name() === "FILE");
  const own = { path: nameOf(parser), commands, options: [...options, help], words, files };
  return [own, ...parser.commands.flatMap(placesOf)];
}

function completedBy(flags: string, choices: string[] | undefined): CompletedOption["value"] {
  if (choices !== undefined) return { words: choices };
  return flags.endsWith("<FILE>") ? "file" : "text";
}
