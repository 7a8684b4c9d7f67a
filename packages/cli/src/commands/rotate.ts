import { printCredential } from "../apps.ts";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { areRevoked, credentialLines, revokedLine } from "../credentials.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { complain, inOneLine, isoTime, print, printJson } from "../terminal.ts";

/** `portico rotate`: creates a new credential for an application. */
export const rotate: Command = {
  name: "rotate",
  summary: "Give an app a new credential, or end its old ones",
  usage: "portico rotate APP_ID [--revoke-old] [--json] [OPTIONS]",
  notes: `The new credential is shown this once. The one before goes on working for a time of grace, which is told: deploy the new
one, then run the command again with --revoke-old, or let the grace end by itself. A secret that has leaked is rotated,
then revoked.`,
  examples: ["(umask 077; portico rotate app_1 --json > app_1.json)", "portico rotate app_1 --revoke-old"],
  advice: { "409": "Too many old credentials are in their grace: end it by --revoke-old, then rotate." },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--revoke-old", "make no new one, but end the grace of the old ones at once")
        .option(
          "--json",
          "print the new credential as JSON, which can serve as a --profile; with --revoke-old {revoked, credentials}",
        ),
    ).action(async (appId, values) => {
      await using api = new ConsoleApi(await developerLogin(values));
      const params = { appId };
      if (values.revokeOld) {
        const before = await api.console.listCredentials({ params });
        const remaining = await api.console.revokeOldCredentials({ params });
        if (values.json) return printJson({ revoked: areRevoked(before, remaining), credentials: remaining });
        return print(revokedLine(before, remaining), ...credentialLines(remaining));
      }
      const { credentialId, appSecret } = await api.console.rotateCredential({ params });
      printCredential({ baseUrl: api.baseUrl, appId, credentialId, appSecret }, values);
      complain("Keep the secret now: it is not shown again.");
      for (const { credential, status, expiresAt } of await api.console.listCredentials({ params })) {
        if (status !== "GRACE" || expiresAt === null) continue;
        complain(inOneLine(`The old credential that ends in ${credential} works until ${isoTime(expiresAt)}.`));
      }
      complain(inOneLine(`\`portico rotate ${appId} --revoke-old\` ends old ones before that.`));
    }),
};
