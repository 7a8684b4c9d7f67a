import { APP_TYPES } from "@portico/protocol";
import { printCredential } from "../apps.ts";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { wordArgument } from "../option-kinds.ts";
import { complain, printable } from "../terminal.ts";

/** `portico apps create`: creates an application with its first credential. */
export const appsCreate: Command = {
  name: "apps create",
  summary: "Create an app, with its first credential",
  usage: "portico apps create TYPE NAME [OPTIONS]",
  notes: `TYPE is ${APP_TYPES.join(", ")}. The credential is shown this once. It is of use once the app has been
approved: ask for the scopes it needs, then submit it.`,
  examples: [
    'portico apps create BOT "Build bot" --description "Tells of builds"',
    '(umask 077; portico apps create BOT "Build bot" --json > build-bot.json)',
  ],
  advice: {
    "400": "Correct what the message names; of several tenants, name one by --tenant.",
    "403": "Name a tenant that this developer works for; `portico whoami` lists those of who is signed in.",
    "409": "It cannot be done now, as the message says.",
  },
  tooMany: "; put quotes around the name",
  configure: (command) =>
    withDeveloper(
      command
        .addArgument(wordArgument("<TYPE>", APP_TYPES))
        .argument("<NAME>")
        .option("--description <TEXT>", "")
        .option("--avatar <URL>", "an http or https address of a picture")
        .option("--tenant <ID>", "the tenant that it belongs to; needed where the developer works for several")
        .option("--json", "print the credential as JSON, which can serve as a --profile"),
    ).action(async (type, displayName, values) => {
      const { description, avatar, tenant: tenantId } = values;
      await using api = new ConsoleApi(await developerLogin(values));
      const body = { type, displayName, description, avatar, tenantId };
      const { appId, credentialId, appSecret } = await api.console.createApp({ body });
      printCredential({ baseUrl: api.baseUrl, appId, credentialId, appSecret }, values);
      complain(
        printable(`created ${appId}; keep its secret now: it is not shown again`),
        printable(
          `Next: \`portico apps scopes ${appId} --request SCOPE,SCOPE\`, then \`portico apps submit ${appId}\`.`,
        ),
      );
    }),
};
