import type { CompletedOption, Place } from "./places.ts";

/** A completion script for fish: one rule for each candidate, with the condition that the line is at its place. */
export function fishScript(places: readonly Place[]): string {
  return `# Completion of portico for fish.
function __portico_place
  set -l words (commandline -opc)
  set -e words[1]
  set -l place
  for word in $words
    switch "$place $word"
      case ${places.flatMap(({ path, commands }) => commands.map(({ word }) => quoted(`${path} ${word}`))).join(" ")}
        set -a place $word
    end
  end
  test "$place" = "$argv[1]"
end
complete -c portico -e
${places.flatMap(rulesOf).join("\n")}
`;
}

function rulesOf({ path, commands, options, words, files }: Place): string[] {
  const rule = `complete -c portico -n ${quoted(`__portico_place ${quoted(path)}`)}`;
  return [
    ...(files ? [] : [`${rule} -f`]),
    ...commands.map(({ word, summary }) => `${rule} -a ${word} -d ${quoted(summary)}`),
    ...options.map(
      ({ flag, summary, value }) => `${rule} -l ${flag.slice(2)}${argumentOf(value)} -d ${quoted(summary)}`,
    ),
    ...(words.length === 0 ? [] : [`${rule} -a ${quoted(words.join(" "))}`]),
  ];
}

function argumentOf(value: CompletedOption["value"]): string {
  if (value === null) return "";
  if (value === "file") return " -r -F";
  return value === "text" ? " -x" : ` -x -a ${quoted(value.words.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
