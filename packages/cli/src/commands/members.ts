import type { DirectoryMember } from "@portico/protocol";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { printList, tenantOfDirectory } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { DIRECTORY_ADVICE } from "../directory-advice.ts";
import { numberFor } from "../option-kinds.ts";

/** `portico members`: lists the members of a tenant. */
export const members: Command = {
  name: "members",
  summary: "List a tenant's members, for operators",
  usage: "portico members [--tenant ID] [OPTIONS]",
  notes: `\`portico members add\` and \`portico members update\` change them.`,
  examples: ["portico members", "portico members --tenant t_acme --keyword ann"],
  advice: DIRECTORY_ADVICE,
  configure: (command) =>
    withDeveloper(
      command
        .option("--tenant <ID>", "the tenant; needed where there are several")
        .option("--keyword <TEXT>", "part of the username, the name or the phone number")
        .option("--page <N>", "a page of the list (default 1)", numberFor("--page"))
        .option("--json", "print the answer as JSON"),
      "operator",
    ).action(async (values) => {
      const { keyword, page } = values;
      await using api = new ConsoleApi(await developerLogin(values, "operator"));
      const tenant = { tenantId: await tenantOfDirectory(api, values.tenant) };
      printList(api, await api.operator.listMembers({ query: { keyword, page } }, tenant), COLUMNS, values);
    }),
};

const COLUMNS = {
  none: "no members",
  headings: ["user", "username", "state", "phone", "name"],
  rowOf: ({ userId, username, disabled, phone, name }: DirectoryMember) => [
    userId,
    username,
    disabled ? "disabled" : "enabled",
    phone ?? "-",
    name,
  ],
};
