import type { Command } from "../command.ts";
import { bashScript } from "../completion/bash.ts";
import { fishScript } from "../completion/fish.ts";
import { placesOf } from "../completion/places.ts";
import { zshScript } from "../completion/zsh.ts";
import { wordArgument } from "../option-kinds.ts";
import { print } from "../terminal.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `portico completion`: prints a completion script for a shell. */
export const completion: Command = {
  name: "completion",
  summary: "Print a script that makes the shell complete commands and options",
  usage: "portico completion bash|zsh|fish",
  notes: `It completes commands, options, the words that an option takes, and files. \`portico\` must be on the PATH; in a clone of the
repository, \`export PATH="$PWD/node_modules/.bin:$PATH"\` puts it there.`,
  examples: [
    "source <(portico completion bash)        # in ~/.bashrc",
    "source <(portico completion zsh)         # in ~/.zshrc, after compinit",
    "portico completion fish > ~/.config/fish/completions/portico.fish",
  ],
  configure: (command) =>
    command.addArgument(wordArgument("<SHELL>", ["bash", "zsh", "fish"])).action((shell, _options, parser) => {
      const program = parser.parent ?? parser;
      print(SCRIPTS[shell](placesOf(program)).trimEnd());
    }),
};
