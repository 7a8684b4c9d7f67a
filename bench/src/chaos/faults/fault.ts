import type { Random } from "../random.ts";
import type { Ending } from "../service-process.ts";
import type { Site } from "../site.ts";

/** A way to disturb a service. */
export interface Fault {
  name: string;
  /** For `--help`. */
  what: string;
  engines: readonly ("embedded" | "distributed")[];
  /** The shortest and the longest duration. */
  durationMs: [least: number, most: number];
  /** How processes may end by it, besides being started again in vain while a database is away. */
  endings: readonly Ending[];
  /** The reason why it cannot be made on this machine; null when it can. */
  missing(site: Site): string | null;
  /** Begins the fault; the returned function ends it. */
  begin(site: Site, random: Random): Promise<() => Promise<void>>;
}

export const BOTH = ["embedded", "distributed"] as const;

/** For faults that every machine can make. */
export function possible(): null {
  return null;
}
