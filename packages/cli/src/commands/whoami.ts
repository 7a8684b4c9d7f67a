import { botClient } from "../bot-client.ts";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { readUnnamedLogin, type SavedDeveloper } from "../login-file.ts";
import { type Credentials, credentials, credentialsIfAny, withCredentials } from "../settings.ts";
import { columns, inOneLine, print, printable, printJson } from "../terminal.ts";

/** `portico whoami`: shows the app of the credentials and the developer who is signed in. */
export const whoami: Command = {
  name: "whoami",
  summary: "Show the app that the credentials belong to, and the developer who is signed in",
  usage: "portico whoami [OPTIONS]",
  notes: `Where credentials are given by options or a profile, only their app is shown.`,
  examples: ["portico whoami", "portico whoami --profile build-bot.json"],
  configure: (command) =>
    withCredentials(
      command.option("--json", "print {apps: [], developer or null}, each with the service's baseUrl"),
    ).action(async ({ json = false, ...values }) => {
      const saved = Object.values(values).some((given) => given !== undefined) ? undefined : await readUnnamedLogin();
      const found = saved === undefined ? await credentials(values) : await credentialsIfAny(values);
      const apps = found === undefined ? [] : await appsOf(found);
      if (!json) print(...apps.flatMap(appLines));
      if (!json && saved !== undefined && found !== undefined) print("");
      const developer = saved === undefined ? null : await developerOf(saved);
      if (json) printJson({ apps, developer });
      else if (developer !== null) print(...developerLines(developer));
    }),
};

async function appsOf(found: Credentials) {
  const apps = await botClient(found).bot.listApps();
  return apps.map((app) => ({ ...app, baseUrl: found.baseUrl }));
}

function appLines(app: Awaited<ReturnType<typeof appsOf>>[number]): string[] {
  const rows = [
    ["app", app.appId],
    ["type", app.type],
    ["status", app.status],
    ["name", app.displayName],
    ["scopes", app.scopes.join(", ")],
    ["service", app.baseUrl],
  ] as const;
  return columns(rows).map(printable);
}

async function developerOf(saved: SavedDeveloper) {
  await using api = new ConsoleApi(saved);
  return { ...(await api.console.getMe()), baseUrl: saved.baseUrl };
}

function developerLines(me: Awaited<ReturnType<typeof developerOf>>): string[] {
  const rows = [
    ["developer", me.developerId],
    ["name", me.name],
    ["phone", me.phone],
    ["operator", me.operator ? "yes" : "no"],
    ["tenants", me.tenants.map(({ tenantId, name }) => `${tenantId} (${name})`).join(", ")],
    ["service", me.baseUrl],
  ] as const;
  return columns(rows).map(inOneLine);
}
