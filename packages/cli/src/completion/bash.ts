import type { CompletedOption, Place } from "./places.ts";

/**
 * A completion script for bash 3.2 and later, without other dependencies. It looks words up in two tables: what can
 * follow at a place, and which values an option there can have.
 */
export function bashScript(places: readonly Place[]): string {
  return `# Completion of portico for bash.
_portico() {
  local current=\${COMP_WORDS[COMP_CWORD]} place="" word last="" at files=""
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case "$place $word" in
${places.flatMap(descent).join("\n")}
    esac
    last=$word
  done
  # Bash takes --option=value for three words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $last == "=" ]]; then
    last=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  local words=""
  case "$place $last" in
${places.flatMap(values).join("\n")}
    *)
      case "$place" in
${places.map(followers).join("\n")}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n $files && \${#COMPREPLY[@]} -eq 0 ]]; then
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _portico portico
`;
}

function descent({ path, commands }: Place): string[] {
  return commands.map(({ word }) => `      "${path} ${word}") place="${`${path} ${word}`.trim()}" ;;`);
}

function values({ path, options }: Place): string[] {
  return options.flatMap(({ flag, value }) =>
    value === null ? [] : [`    "${path} ${flag}") ${completes(value)} ;;`],
  );
}

function completes(value: NonNullable<CompletedOption["value"]>): string {
  if (value === "file") return "files=yes";
  return value === "text" ? "return" : `words="${value.words.join(" ")}"`;
}

/** Commands and words, or options when the current word begins with a hyphen. */
function followers({ path, commands, options, words, files }: Place): string {
  const plain = [...commands.map(({ word }) => word), ...words].join(" ");
  const flags = options.map(({ flag }) => flag).join(" ");
  return `        "${path}") if [[ $current == -* ]]; then words="${flags}"; else words="${plain}"${files ? " files=yes" : ""}; fi ;;`;
}
