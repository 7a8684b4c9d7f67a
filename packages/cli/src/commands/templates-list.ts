import type { Template } from "@portico/protocol";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { printList } from "../console-list.ts";
import { timeOrNull } from "../customer.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { numberFor } from "../option-kinds.ts";

/** `portico templates list`: lists an application's card templates. */
export const templatesList: Command = {
  name: "templates list",
  summary: "List an app's card templates",
  usage: "portico templates list APP_ID [OPTIONS]",
  notes: `\`portico templates pull\` writes one to a file, \`push\` saves a file, \`diff\` compares the two.`,
  examples: ["portico templates list app_1"],
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--page <N>", "a page of the list, the last saved first (default 1)", numberFor("--page"))
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, values) => {
      await using api = new ConsoleApi(await developerLogin(values));
      const list = await api.console.listTemplates({ params: { appId }, query: { page: values.page } });
      printList(api, list, COLUMNS, values);
    }),
};

const COLUMNS = {
  none: "no templates",
  headings: ["template", "version", "saved", "by", "name"],
  rowOf: ({ cardId, version, updatedAt, updatedBy, name }: Template) => [
    cardId,
    String(version),
    timeOrNull(updatedAt) ?? "-",
    updatedBy?.name ?? "-",
    name,
  ],
};
