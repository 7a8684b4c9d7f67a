import { scopesOf } from "../apps.ts";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { OPERATOR_ADVICE } from "../operator-advice.ts";
import { collect } from "../option-kinds.ts";
import { inOneLine, print, printableJson } from "../terminal.ts";

/** `portico approve`: makes an application ACTIVE and grants the requested scopes. */
export const approve: Command = {
  name: "approve",
  summary: "Approve what an app has submitted, for operators",
  usage: "portico approve APP_ID [--comment TEXT] [--scopes SCOPE...] [OPTIONS]",
  notes: `The app becomes ACTIVE, and is granted the scopes that \`portico reviews\` shows.`,
  examples: ['portico approve app_1 --scopes bot.message.send,bot.message.reply --comment "Welcome"'],
  advice: { ...OPERATOR_ADVICE },
  tooMany: "; put quotes around the comment",
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--comment <TEXT>", "words for the owner")
        .option(
          "--scopes <SCOPE>",
          "only if just these are what it asks for; can be repeated, and takes several joined by commas",
          collect,
        )
        .option("--json", "print the answer as JSON"),
      "operator",
    ).action(async (appId, values) => {
      const scopes = values.scopes === undefined ? undefined : scopesOf(values.scopes, "--scopes");
      await using api = new ConsoleApi(await developerLogin(values, "operator"));
      const body = { comment: values.comment, scopes };
      const approved = await api.operator.approveReview({ params: { appId }, body });
      print(values.json ? printableJson(api.textOf(approved)) : inOneLine(`approved; ${appId} is ${approved.status}`));
    }),
};
