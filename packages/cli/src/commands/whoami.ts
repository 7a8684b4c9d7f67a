import { botClient } from "../bot-client.ts";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { readSavedLogin, type SavedLogin } from "../saved-login.ts";
import { type Credentials, credentials, credentialsIfAny, withCredentials } from "../settings.ts";
import { columns, inOneLine, print, printable } from "../terminal.ts";

/** `portico whoami`: shows the app of the credentials and the developer who is signed in. */
export const whoami: Command = {
  name: "whoami",
  summary: "Show the app that the credentials belong to, and the developer who is signed in",
  usage: "portico whoami [OPTIONS]",
  notes: `Where credentials are given by options or a profile, only their app is shown.`,
  examples: ["portico whoami", "portico whoami --profile build-bot.json"],
  configure: (command) =>
    withCredentials(command).action(async (values) => {
      const saved = Object.values(values).some((given) => given !== undefined) ? undefined : await readSavedLogin();
      if (saved === undefined) return await showApp(await credentials(values));
      const found = await credentialsIfAny(values);
      if (found !== undefined) {
        await showApp(found);
        print("");
      }
      await showDeveloper(saved);
    }),
};

async function showApp(found: Credentials): Promise<void> {
  for (const app of await botClient(found).bot.listApps()) {
    const rows = [
      ["app", app.appId],
      ["type", app.type],
      ["status", app.status],
      ["name", app.displayName],
      ["scopes", app.scopes.join(", ")],
      ["service", found.baseUrl],
    ] as const;
    print(...columns(rows).map(printable));
  }
}

async function showDeveloper(saved: SavedLogin): Promise<void> {
  await using api = new ConsoleApi(saved);
  const me = await api.console.getMe();
  const rows = [
    ["developer", me.developerId],
    ["name", me.name],
    ["phone", me.phone],
    ["operator", me.operator ? "yes" : "no"],
    ["tenants", me.tenants.map(({ tenantId, name }) => `${tenantId} (${name})`).join(", ")],
    ["service", saved.baseUrl],
  ] as const;
  print(...columns(rows).map(inOneLine));
}
