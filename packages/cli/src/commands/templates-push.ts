import { readCard } from "../card-input.ts";
import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { numberFor } from "../option-kinds.ts";
import { TEMPLATE_ADVICE } from "../template-advice.ts";
import { inOneLine, print, printableJson } from "../terminal.ts";

/** `portico templates push`: saves a file as a new template, or as a new version of one. */
export const templatesPush: Command = {
  name: "templates push",
  summary: "Save a card as a new template, or as a new version of one",
  usage: "portico templates push APP_ID FILE --name NAME | --id CARD_ID [--version N] [OPTIONS]",
  notes: `FILE - is standard input. The card is checked before it is sent. With --version the template must still have that version.`,
  examples: [
    'portico templates push app_1 build.json --name "Build"',
    "portico templates push app_1 build.json --id tpl_1 --version 3",
  ],
  advice: {
    ...TEMPLATE_ADVICE,
    "409": "Somebody has saved the template since: `portico templates diff` shows what differs.",
  },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .argument("<FILE>")
        .option("--id <CARD_ID>", "the template to save a new version of; without it a new template is made")
        .option("--name <NAME>", "what the template is called")
        .option("--version <N>", "the version that the template must have", numberFor("--version"))
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, file, values) => {
      const { id: cardId, name, version } = values;
      if (cardId === undefined && name === undefined)
        throw new UsageError("--name is missing for a new template, or --id");
      if (cardId === undefined && version !== undefined) throw new UsageError("--version goes with --id");
      const card = await readCard(file);
      await using api = new ConsoleApi(await developerLogin(values));
      const saved =
        cardId === undefined
          ? await api.console.createTemplate({ params: { appId }, body: { name: name ?? "", card } })
          : await api.console.updateTemplate({ params: { appId, cardId }, body: { name, card, version } });
      if (values.json) return print(printableJson(api.textOf(saved)));
      print(inOneLine(`${saved.cardId}  version ${saved.version}  ${saved.name}`));
    }),
};
