import { type Command, FailureError, UsageError } from "../command.ts";
import { nameOption } from "../developer-settings.ts";
import { endAtService, forgetLogin, savedNames } from "../saved-login.ts";
import { print } from "../terminal.ts";

/** `portico logout`: ends saved logins. */
export const logout: Command = {
  name: "logout",
  summary: "End a login that `portico login` has kept",
  usage: "portico logout [--as NAME | --all]",
  notes: `Ends the login at the service, at once and for all its tokens, and removes what is kept of it. It is removed even when
the service cannot be reached; the exit code is 1 then, for there the login lasts until it expires.`,
  examples: ["portico logout", "portico logout --as operator", "portico logout --all"],
  configure: (command) =>
    command
      .addOption(nameOption("the login that `portico login --as NAME` has kept"))
      .option("--all", "all logins that are kept")
      .action(async (values) => {
        if (values.all && values.as !== undefined) throw new UsageError("--as and --all exclude each other");
        const names = values.all ? await savedNames() : [values.as];
        const missed: string[] = [];
        for (const name of names) missed.push(...(await end(name)));
        if (values.all && names.length === 0) print("nobody was signed in");
        if (missed.length === 0) return;
        const where = `${missed.join(", ")} could not be told, so there the login lasts until it expires`;
        throw new FailureError(`signed out here, but ${where}; the console's list of logins can end it`);
      }),
};

/** Ends a login. @returns the service that could not be told, if so. */
async function end(name: string | undefined): Promise<string[]> {
  const former = await forgetLogin(name);
  const named = name === undefined ? "" : ` (${name})`;
  if (former === undefined) {
    print(`nobody was signed in${named}`);
    return [];
  }
  if (!(await endAtService(former))) return [former.baseUrl];
  print(`signed out at ${former.baseUrl}${named}`);
  return [];
}
