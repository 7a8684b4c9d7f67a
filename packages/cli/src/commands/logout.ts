import { type Command, FailureError } from "../command.ts";
import { endAtService, forgetLogin } from "../saved-login.ts";
import { print } from "../terminal.ts";

/** `portico logout`: ends the saved login. */
export const logout: Command = {
  name: "logout",
  summary: "End the login that `portico login` has kept",
  usage: "portico logout",
  notes: `Ends the login at the service, at once and for all its tokens, and removes what is kept of it. It is removed even when
the service cannot be reached; the exit code is 1 then, for there the login lasts until it expires.`,
  examples: ["portico logout"],
  configure: (command) =>
    command.action(async () => {
      const former = await forgetLogin();
      if (former === undefined) return print("nobody was signed in");
      if (!(await endAtService(former))) {
        const where = `${former.baseUrl} could not be told, so there the login lasts until it expires`;
        throw new FailureError(`signed out here, but ${where}; the console's list of logins can end it`);
      }
      print(`signed out at ${former.baseUrl}`);
    }),
};
