import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { atMostOne, tenantOfDirectory } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { DIRECTORY_ADVICE } from "../directory-advice.ts";
import { memberLines } from "../member-lines.ts";
import { secretOption } from "../stored-settings.ts";
import { print, printableJson } from "../terminal.ts";

/** `portico members update`: changes a member, disables and enables them. */
export const membersUpdate: Command = {
  name: "members update",
  summary: "Change a member's name, number or password, disable or enable them, for operators",
  usage: "portico members update USER_ID [--tenant ID] [--name NAME] [--disable | --enable] [OPTIONS]",
  notes: `A member who is disabled, or gets another password, is signed out everywhere.`,
  examples: ["portico members update u_ann --disable"],
  advice: DIRECTORY_ADVICE,
  configure: (command) =>
    withDeveloper(
      command
        .argument("<USER_ID>")
        .option("--tenant <ID>", "the tenant; needed where there are several")
        .option("--name <NAME>", "what others see")
        .option("--number <PHONE>", "the member's phone number; an empty text removes it")
        .option("--member-password-file <FILE>", "the member's password, from a file; - is standard input")
        .option("--disable", "let them do nothing any more")
        .option("--enable", "take that back")
        .option("--json", "print the answer as JSON"),
      "operator",
    ).action(async (userId, values) => {
      const { name, number, disable, enable } = values;
      atMostOne({ "--disable": disable, "--enable": enable });
      const password = await secretOption("member-password", undefined, values.memberPasswordFile);
      const disabled = disable ? true : enable ? false : undefined;
      const body = { name, phone: number === "" ? null : number, password, disabled };
      if (Object.values(body).every((value) => value === undefined)) throw new UsageError("nothing to change");
      await using api = new ConsoleApi(await developerLogin(values, "operator"));
      const tenant = { tenantId: await tenantOfDirectory(api, values.tenant) };
      const member = await api.operator.updateMember({ params: { userId }, body }, tenant);
      print(...(values.json ? [printableJson(api.textOf(member))] : memberLines(member)));
    }),
};
