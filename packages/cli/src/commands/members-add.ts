import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { tenantOfDirectory } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { DIRECTORY_ADVICE } from "../directory-advice.ts";
import { memberLines } from "../member-lines.ts";
import { secretOption } from "../stored-settings.ts";
import { print, printableJson } from "../terminal.ts";

/** `portico members add`: adds a member to a tenant. */
export const membersAdd: Command = {
  name: "members add",
  summary: "Add a member to a tenant, for operators",
  usage: "portico members add USERNAME [--tenant ID] [--name NAME] [--member-password-file FILE] [OPTIONS]",
  notes: `Without a password the member cannot sign in.`,
  examples: ['portico members add ann --name "Ann" --member-password-file - < password'],
  advice: DIRECTORY_ADVICE,
  configure: (command) =>
    withDeveloper(
      command
        .argument("<USERNAME>")
        .option("--tenant <ID>", "the tenant; needed where there are several")
        .option("--name <NAME>", "what others see (default: the username)")
        .option("--number <PHONE>", "the member's phone number")
        .option("--member-password-file <FILE>", "the member's password, from a file; - is standard input")
        .option("--id <ID>", "the userId (default: a new one)")
        .option("--json", "print the answer as JSON"),
      "operator",
    ).action(async (username, values) => {
      const { name, number: phone, id: userId } = values;
      const password = await secretOption("member-password", undefined, values.memberPasswordFile);
      await using api = new ConsoleApi(await developerLogin(values, "operator"));
      const tenant = { tenantId: await tenantOfDirectory(api, values.tenant) };
      const member = await api.operator.createMember({ body: { username, name, phone, password, userId } }, tenant);
      print(...(values.json ? [printableJson(api.textOf(member))] : memberLines(member)));
    }),
};
