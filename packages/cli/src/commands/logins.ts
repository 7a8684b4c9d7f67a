import type { Command } from "../command.ts";
import { readSavedLogin, savedNames } from "../saved-login.ts";
import { inOneLine, print, table } from "../terminal.ts";

const HEADINGS = ["name", "service", "developer"] as const;

/** `portico logins`: lists the saved logins. */
export const logins: Command = {
  name: "logins",
  summary: "List the logins that `portico login` has kept",
  usage: "portico logins [--json]",
  notes: `The one without a name is used where no --as names another. \`portico logout --as NAME\` ends and removes one.`,
  examples: ["portico logins"],
  configure: (command) =>
    command.option("--json", "print [{name or null, baseUrl, developerId}]").action(async ({ json }) => {
      const found = [];
      for (const name of await savedNames()) {
        const login = await readSavedLogin(name);
        if (login === undefined) continue;
        const { baseUrl, developerId } = login;
        found.push({ name: name ?? null, baseUrl, developerId });
      }
      if (json) return print(JSON.stringify(found));
      if (found.length === 0) return print("nobody is signed in");
      const rows = found.map(({ name, baseUrl, developerId }) => [name ?? "-", baseUrl, developerId].map(inOneLine));
      print(...table([HEADINGS, ...rows]));
    }),
};
