import type { Sender } from "../load/signed-requests.ts";

/** The two ways to run the service. */
export type Engine = "embedded" | "distributed";

/** A service under attack, as the attacker and whoever prepares it know it. All of it survives JSON. */
export interface Site {
  engine: Engine;
  /** It listens on this port of 127.0.0.1. */
  port: number;
  pid: number;
  /** The service's data directory; the embedded database lies in it as `portico.db`. */
  dataDir: string;
  /** The database of a distributed service; null when embedded. */
  postgresUrl: string | null;
  redisUrl: string | null;
  /** The application whose owner behaves well. */
  sender: Sender;
}

/** What an attack has done, as counts by name, for the report. */
export type Deeds = Record<string, number>;

/** A well-behaved caller whose calls are timed, beside the one that sends. */
export interface Probe {
  name: string;
  perSecond: number;
  /** Makes the probe ready, before anything is measured; returns what makes one call. That throws when it is refused. */
  open(site: Site): Promise<(index: number) => Promise<void>>;
}

/** What is done to a service, and what it needs for that. */
export interface Scenario {
  name: string;
  /** In one line, for `--help`. */
  what: string;
  engines: readonly Engine[];
  /** Settings of the service beside those that every service of the bench has. */
  env?: Record<string, string>;
  /** Members of a provisioning file that are appended to those of the world (see world.ts). */
  world?: Record<string, object[]>;
  /** Set for a service whose data directory is to be a file system of its own, of so many MiB in memory; needs root. */
  smallDiskMib?: number;
  /** Set where the well-behaved sender would be refused, and is left out. */
  withoutSends?: true;
  /** Fills the store, or what else the attack starts from, once the service is up; not timed. */
  prepare?(site: Site, progress: (line: string) => void): Promise<void>;
  probes?: readonly Probe[];
  /**
   * Attacks, in a process of its own, until `signal` is aborted; then it ends within a few seconds. Its loops pause as
   * little as an attacker's would, but its numbers (connections, bytes) are bounded.
   */
  attack(site: Site, signal: AbortSignal): Promise<Deeds>;
}
