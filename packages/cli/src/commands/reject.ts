import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { OPERATOR_ADVICE } from "../operator-advice.ts";
import { inOneLine, print, printableJson } from "../terminal.ts";

/** `portico reject`: rejects a submitted application. */
export const reject: Command = {
  name: "reject",
  summary: "Reject what an app has submitted, for operators",
  usage: "portico reject APP_ID --comment TEXT [OPTIONS]",
  notes: `A new app is UNPUBLISHED again and can be submitted again; one that was ACTIVE stays so, without the scopes it asked for.`,
  examples: ['portico reject app_1 --comment "Please say in the description what it is for"'],
  advice: { ...OPERATOR_ADVICE },
  tooMany: "; put quotes around the comment",
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--comment <TEXT>", "what the owner has to change")
        .option("--json", "print the answer as JSON"),
      "operator",
    ).action(async (appId, values) => {
      const { comment = "" } = values;
      if (comment.trim() === "") throw new UsageError("--comment is missing: tell the owner what to change");
      await using api = new ConsoleApi(await developerLogin(values, "operator"));
      const rejected = await api.operator.rejectReview({ params: { appId }, body: { comment } });
      print(values.json ? printableJson(api.textOf(rejected)) : inOneLine(`rejected; ${appId} is ${rejected.status}`));
    }),
};
