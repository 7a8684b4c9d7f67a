import { writeFile } from "node:fs/promises";
import { type Command, FailureError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { codeOf } from "../input.ts";
import { TEMPLATE_ADVICE } from "../template-advice.ts";
import { templateCard } from "../template-card.ts";
import { complain, printable, printJson } from "../terminal.ts";

/** `portico templates pull`: writes a template's card to a file or to standard output. */
export const templatesPull: Command = {
  name: "templates pull",
  summary: "Write a template's card to a file, or show it",
  usage: "portico templates pull APP_ID CARD_ID [FILE] [OPTIONS]",
  notes: `Without FILE the card goes to standard output, as JSON.`,
  examples: ["portico templates pull app_1 tpl_1 build.json"],
  advice: TEMPLATE_ADVICE,
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .argument("<CARD_ID>")
        .argument("[FILE]")
        .option("--json", "with FILE, print {cardId, name, version, file}; without, the card is JSON anyway"),
    ).action(async (appId, cardId, file, values) => {
      await using api = new ConsoleApi(await developerLogin(values));
      const { text, name, version } = await templateCard(api, appId, cardId);
      if (file === undefined) return void process.stdout.write(printable(text));
      try {
        await writeFile(file, text);
      } catch (error) {
        throw new FailureError(`cannot write ${file}: ${codeOf(error)}`);
      }
      if (values.json) printJson({ cardId, name, version, file });
      complain(printable(`${file} has version ${version} of "${name}"`));
    }),
};
