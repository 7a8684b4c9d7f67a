import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { ProcessHealth, RecentFigures } from "@portico/protocol";
import type { Logger } from "pino";
import type { Clock } from "../../platform/clock/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import { VERSION } from "../../platform/version.ts";
import type { RecentCalls } from "../requests/recent-calls.ts";
import type { DueClock } from "../webhooks/due-clock.ts";
import { type KnownKeys, SILENT_AFTER_MS } from "./known-keys.ts";
import { listProcesses, type ProcessRow, putProcess, removeProcess, removeSilent } from "./process-store.ts";

/** How often a process tells of itself. */
const TELL_EVERY_MS = 10_000;

/** What a process tells of itself beside its identity. */
interface Report {
  memoryBytes: number;
  figures: RecentFigures;
}

interface Parts {
  storage: Storage;
  clock: Clock;
  /** The clock of the database, where it has one: each process forgets those that the others have not heard of. */
  dueClock: DueClock;
  config: Config;
  log: Logger;
  recentCalls: RecentCalls;
  knownKeys(): KnownKeys;
}

/**
 * This process and, in distributed mode, the others: each writes a row about itself every few seconds, so that any of
 * them can tell of all. A process that dies leaves its row behind, with the time at which it was last seen.
 */
export class Processes {
  readonly #parts: Parts;
  readonly #self: Omit<ProcessRow, "seenAt" | "report">;
  readonly #timer: NodeJS.Timeout | null;
  #telling: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { clock, config } = parts;
    const identity = { processId: randomUUID(), host: hostname(), pid: process.pid };
    this.#self = { ...identity, version: VERSION, startedAt: clock.now() };
    this.#timer = config.distributed === null ? null : setInterval(() => void this.tell(), TELL_EVERY_MS);
    this.#timer?.unref();
  }

  /** Tells the others of this process, if there can be others. Never rejects. */
  async tell(): Promise<void> {
    if (this.#timer === null) return;
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = null;
    });
    await this.#telling;
  }

  /** All processes that have been heard of lately, this one first. */
  async list(): Promise<ProcessHealth[]> {
    const { storage, clock, dueClock } = this.#parts;
    const now = clock.now();
    const self = { ...this.#self, seenAt: now, isThis: true, ...this.#report(now) };
    if (this.#timer === null) return [self];
    const rows = await listProcesses(storage.db, dueClock.now() - SILENT_AFTER_MS);
    const others = rows.filter(({ processId }) => processId !== self.processId);
    others.sort((a, b) => a.startedAt - b.startedAt);
    return [
      self,
      ...others.map(({ report, seenAt, ...row }) => ({
        ...row,
        seenAt: dueClock.shown(seenAt),
        isThis: false,
        ...reportOf(report),
      })),
    ];
  }

  async close(): Promise<void> {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    await this.#telling;
    const { storage, log } = this.#parts;
    await storage.unhurried
      .write((tx) => removeProcess(tx, this.#self.processId))
      .catch((error: unknown) => log.warn({ err: error }, "the others could not be told that this process ends"));
  }

  async #tell(): Promise<void> {
    const { storage, clock, dueClock, log } = this.#parts;
    const now = dueClock.now();
    const row = { ...this.#self, seenAt: now, report: this.#told(clock.now()) };
    try {
      await storage.unhurried.write(async (tx) => {
        await putProcess(tx, row);
        await removeSilent(tx, now - SILENT_AFTER_MS);
      });
    } catch (error) {
      log.warn({ err: error }, "the others could not be told of this process; tried again");
    }
  }

  /** What is for the list, and what is for the other processes. */
  #told(now: number): string {
    return JSON.stringify({ ...this.#report(now), masterKey: this.#parts.knownKeys() });
  }

  #report(now: number): Report {
    return { memoryBytes: process.memoryUsage.rss(), figures: this.#parts.recentCalls.figuresAt(now) };
  }
}

/** Written by this version or another one: what is missing counts as nothing. */
function reportOf(text: string): Report {
  const { memoryBytes = 0, figures }: Partial<Report> = JSON.parse(text);
  return { memoryBytes, figures: figures ?? { calls: 0, refused: 0, failed: 0, latency: null, slowest: [] } };
}
