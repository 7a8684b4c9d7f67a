import { parseArgs } from "node:util";
import { APP_TYPES } from "@portico/protocol";
import { newCredential, printCredential } from "../apps.ts";
import { type Command, oneOf, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { unpromised } from "../console-exchange.ts";
import { DEVELOPER_HELP, DEVELOPER_OPTIONS, developerLogin } from "../developer-settings.ts";
import { textOf } from "../json.ts";
import { complain, printable } from "../terminal.ts";

/** `portico apps create`: a new application with its first credential. */
export const appsCreate: Command = {
  name: "apps create",
  summary: "Create an app, with its first credential",
  usage: "portico apps create TYPE NAME [OPTIONS]",
  help: `  --description TEXT
  --avatar URL    an http or https address of a picture
  --tenant ID     the tenant that it belongs to; needed where the developer works for several
  --json          print the credential as JSON, which can serve as a --profile
TYPE is ${APP_TYPES.join(", ")}. The credential is shown this once. It is of use once the app has been
approved: ask for the scopes it needs, then submit it.

Examples:
  portico apps create BOT "Build bot" --description "Tells of builds"
  (umask 077; portico apps create BOT "Build bot" --json > build-bot.json)

${DEVELOPER_HELP}`,
  advice: {
    "400": "Correct what the message names; of several tenants, name one by --tenant.",
    "403": "Name a tenant that this developer works for; `portico whoami` lists those of who is signed in.",
    "409": "It cannot be done now, as the message says.",
  },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...DEVELOPER_OPTIONS,
        description: { type: "string" },
        avatar: { type: "string" },
        tenant: { type: "string" },
        json: { type: "boolean" },
      },
    });
    const [typeName, displayName, ...more] = positionals;
    if (typeName === undefined || displayName === undefined) throw new UsageError("TYPE and NAME are needed");
    if (more.length > 0) throw new UsageError(`${more.length} arguments too many; put quotes around the name`);
    const type = oneOf(APP_TYPES, typeName, "TYPE");
    const { description, avatar, tenant: tenantId } = values;
    await using api = new ConsoleApi(await developerLogin(values));
    const answer = await api.call("POST", ["apps"], { body: { type, displayName, description, avatar, tenantId } });
    const appId = textOf(answer.value, "appId") ?? unpromised("an app");
    printCredential(newCredential(api.baseUrl, appId, answer), values);
    complain(
      printable(`created ${appId}; keep its secret now: it is not shown again`),
      printable(`Next: \`portico apps scopes ${appId} --request SCOPE\`, then \`portico apps submit ${appId}\`.`),
    );
  },
};
