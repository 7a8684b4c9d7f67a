import { type Command, FailureError, UsageError } from "../command.ts";
import { type SavedLogin, savedNames } from "../login-file.ts";
import { nameOption } from "../named-login.ts";
import { endAtService, forgetLogin } from "../saved-login.ts";
import { print, printJson } from "../terminal.ts";

/** `portico logout`: ends saved logins. */
export const logout: Command = {
  name: "logout",
  summary: "End a login that `portico login` has kept",
  usage: "portico logout [--as NAME | --all] [--json]",
  notes: `Ends the login at the service, at once and for all its tokens, and removes what is kept of it. It is removed even when
the service cannot be reached; the exit code is 1 then, for there the login lasts until it expires.`,
  examples: ["portico logout", "portico logout --as operator", "portico logout --all"],
  configure: (command) =>
    command
      .addOption(nameOption("the login that `portico login --as NAME` has kept"))
      .option("--all", "all logins that are kept")
      .option("--json", "print {signedOut, unreachable}, each [{name or null, baseUrl}]")
      .action(async (values) => {
        if (values.all && values.as !== undefined) throw new UsageError("--as and --all exclude each other");
        const names = values.all ? await savedNames() : [values.as];
        const { json = false } = values;
        const signedOut: EndedLogin[] = [];
        const unreachable: EndedLogin[] = [];
        for (const name of names) {
          const former = await forgetLogin(name);
          const isEnded = former === undefined || (await endAtService(former));
          if (!json && isEnded) print(endedLine(name, former));
          if (former === undefined) continue;
          (isEnded ? signedOut : unreachable).push({ name: name ?? null, baseUrl: former.baseUrl });
        }
        if (json) printJson({ signedOut, unreachable });
        else if (names.length === 0) print("nobody was signed in");
        if (unreachable.length === 0) return;
        const where = `${unreachable.map(({ baseUrl }) => baseUrl).join(", ")} could not be told, so there the login lasts until it expires`;
        throw new FailureError(`signed out here, but ${where}; the console's list of logins can end it`);
      }),
};

/** A login that was kept, as JSON shows it. */
interface EndedLogin {
  name: string | null;
  baseUrl: string;
}

function endedLine(name: string | undefined, former: SavedLogin | undefined): string {
  const named = name === undefined ? "" : ` (${name})`;
  return former === undefined ? `nobody was signed in${named}` : `signed out at ${former.baseUrl}${named}`;
}
