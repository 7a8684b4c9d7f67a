import type { BegunRotation } from "@portico/server";
import type { Command } from "../command.ts";
import { withOperatorWords } from "../operator-words.ts";
import { serverModule } from "../server-module.ts";
import { complain, print, printJson } from "../terminal.ts";

/** `portico master-key rotate`: gives an embedded service a new master key. */
export const masterKeyRotate: Command = {
  name: "master-key rotate",
  summary: "Give the service a new master key, while it runs",
  usage: "portico master-key rotate [--json]",
  notes: `For a master key in the data directory: a new one is put before it, and all secrets are sealed anew, by the service if it is running,
else at once. Nobody is signed out, and no call fails. A key from PORTICO_MASTER_KEY or PORTICO_MASTER_KEY_FILE is yours to change:
put the new one before it, and the services do the rest. Make a backup afterwards: one from before has the earlier key.`,
  examples: ["portico master-key rotate", "portico master-key status"],
  configure: (command) =>
    command.option("--json", "print {from, to, isRunning}").action(async ({ json = false }) => {
      const { rotateMasterKey } = await serverModule("master-key rotate");
      const begun: BegunRotation = await withOperatorWords(() => rotateMasterKey(process.env));
      if (json) return printJson(begun);
      print(`the master key is ${begun.to} from now on, and was ${begun.from}`);
      if (begun.isRunning)
        complain("The running service seals all secrets anew: `portico master-key status` says how far it is.");
      else complain("All secrets are sealed under it. The next starts keep the earlier key until nothing needs it.");
    }),
};
