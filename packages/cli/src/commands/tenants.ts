import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { atMostOne, printList } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { DIRECTORY_ADVICE } from "../directory-advice.ts";
import { numberFor } from "../option-kinds.ts";
import { columns, inOneLine, print, printableJson } from "../terminal.ts";

/** `portico tenants`: lists and makes tenants. */
export const tenants: Command = {
  name: "tenants",
  summary: "List the tenants, make one, or rename one, for operators",
  usage: "portico tenants [--create NAME [--id ID] | --rename ID --name NAME] [OPTIONS]",
  examples: ["portico tenants", 'portico tenants --create "Acme" --id t_acme'],
  advice: DIRECTORY_ADVICE,
  configure: (command) =>
    withDeveloper(
      command
        .option("--create <NAME>", "make a tenant with this name")
        .option("--id <ID>", "its id (default: a new one)")
        .option("--rename <ID>", "give this tenant another name")
        .option("--name <NAME>", "the other name")
        .option("--keyword <TEXT>", "part of the id or of the name")
        .option("--page <N>", "a page of the list (default 1)", numberFor("--page"))
        .option("--json", "print the answer as JSON"),
      "operator",
    ).action(async (values) => {
      const { create, id, rename, name = "", keyword, page } = values;
      atMostOne({ "--create": create, "--rename": rename });
      await using api = new ConsoleApi(await developerLogin(values, "operator"));
      if (create === undefined && rename === undefined) {
        return printList(api, await api.operator.listTenants({ query: { keyword, page } }), COLUMNS, values);
      }
      const tenant =
        rename === undefined
          ? await api.operator.createTenant({ body: { name: create ?? "", ...(id !== undefined && { tenantId: id }) } })
          : await api.operator.updateTenant({ params: { tenantId: rename }, body: { name } });
      print(...(values.json ? [printableJson(api.textOf(tenant))] : columns(Object.entries(tenant)).map(inOneLine)));
    }),
};

const COLUMNS = {
  none: "no tenants",
  headings: ["tenant", "name"],
  rowOf: ({ tenantId, name }: { tenantId: string; name: string }) => [tenantId, name],
};
