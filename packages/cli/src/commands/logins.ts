import type { Command } from "../command.ts";
import { readSavedLogin, type SavedLogin, savedNames } from "../login-file.ts";
import { inOneLine, print, printJson, table } from "../terminal.ts";

const HEADINGS = ["name", "service", "kind", "who"] as const;

/** `portico logins`: lists the saved logins. */
export const logins: Command = {
  name: "logins",
  summary: "List the logins that `portico login` has kept",
  usage: "portico logins [--json]",
  notes: `A developer's login is for the --as of developers' commands, a member's for that of say, read and the other commands of members.
The one without a name is used where no --as names another. \`portico logout --as NAME\` ends and removes one.`,
  examples: ["portico logins"],
  configure: (command) =>
    command
      .option(
        "--json",
        'print [{name or null, kind, baseUrl, and of a "developer" developerId, of a "member" tenantId, username, userId}]',
      )
      .action(async ({ json }) => {
        const found: SavedLogin[] = [];
        for (const name of await savedNames()) {
          const login = await readSavedLogin(name);
          if (login !== undefined) found.push(login);
        }
        if (json) return printJson(found.map(publicPart));
        if (found.length === 0) return print("nobody is signed in");
        print(...table([HEADINGS, ...found.map(rowOf)]));
      }),
};

/** All of a login that is no secret. */
function publicPart({ refreshToken: _secret, name = undefined, ...login }: SavedLogin) {
  return { name: name ?? null, ...login };
}

function rowOf(login: SavedLogin): string[] {
  const who = login.kind === "member" ? `${login.username} (${login.tenantId})` : login.developerId;
  return [login.name ?? "-", login.baseUrl, login.kind, who].map(inOneLine);
}
