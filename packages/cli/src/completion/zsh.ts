import type { CompletedOption, Place } from "./places.ts";

/**
 * A completion script for zsh, to be sourced or autoloaded as \`_portico\`: one function for each place, based on
 * \`_arguments\`.
 */
export function zshScript(places: readonly Place[]): string {
  return `#compdef portico
# Completion of portico for zsh.
${places.map(functionOf).join("\n")}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _portico "$@"
else
  compdef _portico portico
fi
`;
}

function functionOf(place: Place): string {
  const { path, commands, options, words, files } = place;
  const specs = options.map(specOf);
  if (commands.length === 0) {
    const argument = quoted(`*:argument:${files ? "_files" : wordsAction(words)}`);
    return body(path, [`  _arguments -s ${[...specs, argument].join(" \\\n    ")}`]);
  }
  const rows = commands.map(({ word, summary }) => `    ${quoted(`${word}:${summary}`)}`);
  const calls = commands.map(({ word }) => `    ${word}) ${nameOf(`${path} ${word}`)} ;;`);
  return body(path, [
    "  local context state line",
    "  local -a commands",
    "  commands=(",
    ...rows,
    "  )",
    `  _arguments -C ${[...specs, "'1: :->command'", "'*:: :->rest'"].join(" \\\n    ")}`,
    "  case $state in",
    "  command) _describe command commands ;;",
    "  rest)",
    "    case $line[1] in",
    ...calls,
    "    esac",
    "    ;;",
    "  esac",
  ]);
}

function body(path: string, lines: string[]): string {
  return [`${nameOf(path)}() {`, ...lines, "}"].join("\n");
}

function nameOf(path: string): string {
  return ["_portico", ...path.trim().split(" ").filter(Boolean)].join("_");
}

function specOf({ flag, summary, value }: CompletedOption): string {
  const text = summary.replaceAll(/[[\]:\\]/g, "\\$&");
  if (value === null) return quoted(`${flag}[${text}]`);
  return quoted(`${flag}=[${text}]:value:${actionOf(value)}`);
}

function actionOf(value: NonNullable<CompletedOption["value"]>): string {
  if (value === "file") return "_files";
  return value === "text" ? " " : wordsAction(value.words);
}

function wordsAction(words: readonly string[]): string {
  return `(${words.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
