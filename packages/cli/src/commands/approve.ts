import { parseArgs } from "node:util";
import { scopesOf } from "../apps.ts";
import { type Command, onlyArgument } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { unpromised } from "../console-exchange.ts";
import { DEVELOPER_OPTIONS, developerLogin, OPERATOR_HELP } from "../developer-settings.ts";
import { textOf } from "../json.ts";
import { OPERATOR_ADVICE } from "../operator-advice.ts";
import { inOneLine, print } from "../terminal.ts";

/** `portico approve`: makes an application ACTIVE, and grants what it asks for. */
export const approve: Command = {
  name: "approve",
  summary: "Approve what an app has submitted, for operators",
  usage: "portico approve APP_ID [--comment TEXT] [--scopes SCOPE...] [OPTIONS]",
  help: `  --comment TEXT  words for the owner
  --scopes SCOPE  only if just these are what it asks for; can be repeated, and takes several joined by commas
The app becomes ACTIVE, and is granted the scopes that \`portico reviews\` shows.

Example:
  portico approve app_1 --scopes bot.message.send,bot.message.reply --comment "Welcome"

${OPERATOR_HELP}`,
  advice: { ...OPERATOR_ADVICE },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...DEVELOPER_OPTIONS, comment: { type: "string" }, scopes: { type: "string", multiple: true } },
    });
    const appId = onlyArgument(positionals, "APP_ID", "; put quotes around the comment");
    const scopes = values.scopes === undefined ? undefined : scopesOf(values.scopes, "--scopes");
    await using api = new ConsoleApi(await developerLogin(values, "operator"));
    const body = { comment: values.comment, scopes };
    const { value } = await api.call("POST", ["operator", "reviews", appId, "approve"], { body });
    print(inOneLine(`approved; ${appId} is ${textOf(value, "status") ?? unpromised("an app")}`));
  },
};
