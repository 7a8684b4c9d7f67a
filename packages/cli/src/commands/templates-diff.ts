import { compactText } from "@portico/protocol/cards";
import { type Command, FailureError, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { faultLine, tryReadJson } from "../json-input.ts";
import { diffLines } from "../line-diff.ts";
import { TEMPLATE_ADVICE } from "../template-advice.ts";
import { indented, templateCard } from "../template-card.ts";
import { print, printable, printJson } from "../terminal.ts";

/** `portico templates diff`: compares a template's card with a file. */
export const templatesDiff: Command = {
  name: "templates diff",
  summary: "Compare a template's card with a file",
  usage: "portico templates diff APP_ID CARD_ID FILE [OPTIONS]",
  notes: `Lines that only the template has begin with -, those that only the file has with +. Exits 1 if they differ.`,
  examples: ["portico templates diff app_1 tpl_1 build.json"],
  advice: TEMPLATE_ADVICE,
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .argument("<CARD_ID>")
        .argument("<FILE>")
        .option("--json", "print {cardId, name, version, same, lines}"),
    ).action(async (appId, cardId, file, values) => {
      const here = await tryReadJson(file);
      if (here.fault !== null) throw new UsageError(faultLine(file, here.fault));
      await using api = new ConsoleApi(await developerLogin(values));
      const { text, name, version } = await templateCard(api, appId, cardId);
      const same = compactText(here.text) === compactText(text);
      const lines = same ? [] : diffLines(text, indented(here.text));
      if (values.json) printJson({ cardId, name, version, same, lines });
      else print(...(same ? [`${file} is version ${version} of "${name}"`] : lines).map(printable));
      if (!same) throw new FailureError(`${file} differs from version ${version} of "${name}"`);
    }),
};
