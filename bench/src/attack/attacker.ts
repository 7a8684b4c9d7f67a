/** Attacks a service, as a process of its own: what it is told by its parent is a scenario's name and a site. */
import { setPriority } from "node:os";
import { inspect } from "node:util";
import type { Site } from "./scenario.ts";
import { SCENARIOS } from "./scenarios/index.ts";

/** The attacker shares the machine with those it is measured by, which a real one would not: it yields to them. */
const NICENESS = 10;

/** What the parent says: begin, with everything there is to know, and later end. */
export type Order = { begin: { scenario: string; site: Site } } | "end";
/** What the attacker says in the end. */
export type Outcome = { deeds: Record<string, number> } | { failure: string };

const over = new AbortController();

process.on("message", (order: Order) => {
  if (order === "end") over.abort();
  else void attack(order.begin.scenario, order.begin.site);
});
// Without a parent there is nobody to attack for.
process.on("disconnect", () => process.exit(1));

async function attack(name: string, site: Site): Promise<void> {
  const scenario = SCENARIOS.find((candidate) => candidate.name === name);
  if (scenario === undefined) return tell({ failure: `there is no attack ${name}` });
  setPriority(NICENESS);
  try {
    tell({ deeds: await scenario.attack(site, over.signal) });
  } catch (error) {
    tell({ failure: inspect(error) });
  }
}

function tell(outcome: Outcome): void {
  process.send?.(outcome, () => process.exit(0));
}
