import type { Sender } from "../load/signed-requests.ts";

/** The two ways to run the service. */
export type Engine = "embedded" | "distributed";

/** A service under attack, as known to the attacker and to the preparation. All of it can be sent as JSON. */
export interface Site {
  engine: Engine;
  /** It listens on this port of 127.0.0.1. */
  port: number;
  pid: number;
  /** The service's data directory, with the embedded database in `portico.db`. */
  dataDir: string;
  /** The database of a distributed service; null when embedded. */
  postgresUrl: string | null;
  redisUrl: string | null;
  /** The well-behaved application. */
  sender: Sender;
}

/** The counts of an attack by name, for the report. */
export type Deeds = Record<string, number>;

/** A well-behaved caller whose calls are timed, in addition to the sender. */
export interface Probe {
  name: string;
  perSecond: number;
  /**
   * Prepares the probe before the measurement; returns a function that makes one call and throws when it is refused.
   */
  open(site: Site): Promise<(index: number) => Promise<void>>;
}

/** An attack, and the service that it needs. */
export interface Scenario {
  name: string;
  /** A description in one line, for `--help`. */
  what: string;
  engines: readonly Engine[];
  /** Settings of the service in addition to those of every service of the bench. */
  env?: Record<string, string>;
  /** Entries of a provisioning file to append to those of the world (see world.ts). */
  world?: Record<string, object[]>;
  /** The size in MiB when the data directory must be its own file system, in memory; needs root. */
  smallDiskMib?: number;
  /** Set when the well-behaved sender would be refused, and is left out. */
  withoutSends?: true;
  /** Prepares what the attack needs, such as a full store, once the service is up; not timed. */
  prepare?(site: Site, progress: (line: string) => void): Promise<void>;
  probes?: readonly Probe[];
  /**
   * Attacks, in its own process, until `signal` is aborted; then it ends within a few seconds. Like a real attacker's,
   * its loops hardly pause, but its numbers (connections, bytes) are bounded.
   */
  attack(site: Site, signal: AbortSignal): Promise<Deeds>;
}
