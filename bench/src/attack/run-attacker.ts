import { fork } from "node:child_process";
import { once } from "node:events";
import type { Effort, Order, Outcome } from "./attacker.ts";
import type { Scenario, Site } from "./scenario.ts";

/** An attacker that has not ended this long after it was told to is killed. */
const ENDS_WITHIN_MS = 15_000;

/** A running attack. */
export interface Attack {
  /** Ends it; resolves with its counts. @throws when the attacker failed; the error contains its message. */
  end(): Promise<Effort>;
}

/** Starts the attack of a scenario on a site, in its own process. */
export function startAttacker({ name }: Scenario, site: Site, realTime: boolean): Attack {
  const child = fork(new URL("attacker.ts", import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const outcome = Promise.race([
    once(child, "message").then(([said]: Outcome[]) => said),
    once(child, "exit").then(([code]) => ({ failure: `it exited with ${code} and said nothing` })),
  ]);
  const begin: Order = { begin: { scenario: name, site, realTime } };
  child.send(begin);
  return {
    async end() {
      const end: Order = "end";
      if (child.connected) child.send(end);
      const killer = setTimeout(() => child.kill("SIGKILL"), ENDS_WITHIN_MS);
      const said = await outcome;
      clearTimeout(killer);
      if (said === undefined || "failure" in said) throw new Error(`the attacker failed: ${said?.failure}`);
      return said;
    },
  };
}
