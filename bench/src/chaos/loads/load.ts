import { setTimeout as sleep } from "node:timers/promises";
import { PorticoClient } from "@portico/sdk";
import type { Ledger } from "../ledger.ts";
import type { Random } from "../random.ts";
import type { Site } from "../site.ts";
import type { Weather } from "../weather.ts";

/** What a load works with. */
export interface LoadParts {
  site: Site;
  ledger: Ledger;
  weather: Weather;
  random: Random;
  /** Aborted when no new work may begin. */
  until: AbortSignal;
  /** Aborted when unfinished work must be given up. */
  giveUp: AbortSignal;
}

/** Calls of one kind that succeeded, and tries that failed. */
export interface LoadCounts {
  succeeded: number;
  failed: number;
}

/** A steady stream of calls of one kind. */
export interface Load {
  name: string;
  /** The number of callers. */
  callers: number;
  /** Makes one piece of work; returns false when it was given up. */
  work(caller: Caller): Promise<void>;
}

/** Between two pieces of work of a caller. */
const PAUSE_MS: [number, number] = [5, 60];
const RETRY_MS: [number, number] = [30, 250];
const CALL_TIMEOUT_MS = 20_000;

/** The work was given up, because the run is over. */
class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/** One caller of a load. */
export class Caller {
  readonly name: string;
  readonly parts: LoadParts;
  readonly counts: LoadCounts;
  #number = 0;

  constructor(name: string, parts: LoadParts, counts: LoadCounts) {
    this.name = name;
    this.parts = parts;
    this.counts = counts;
  }

  get random(): Random {
    return this.parts.random;
  }

  /** A text that nothing else in the run has. */
  unique(): string {
    return `${this.name} ${++this.#number}`;
  }

  /** The address of any process, as a balancer without health checks would choose it. */
  url(): string {
    return this.random.pick(this.parts.site.processes).url;
  }

  /** The open API through any process, without retries. */
  client(signer: { appId: string; credentialId: string; appSecret: string }): PorticoClient {
    return new PorticoClient({ ...signer, baseUrl: this.url(), maxRetries: 0, timeoutMs: CALL_TIMEOUT_MS });
  }

  /**
   * Makes a call once. A failure while nothing is disturbed is a violation.
   *
   * @param isExpected whether a failure is one that the service promises.
   */
  async try<Value>(call: () => Promise<Value>, isExpected: (error: unknown) => boolean = () => false): Promise<Value> {
    const startedAt = performance.now();
    try {
      const value = await call();
      this.counts.succeeded++;
      return value;
    } catch (error) {
      if (isExpected(error)) throw error;
      this.counts.failed++;
      if (this.parts.weather.wasCalmSince(startedAt)) {
        this.parts.ledger.violate(`${this.name}: failed while nothing was disturbed: ${describe(error)}`);
      }
      throw error;
    }
  }

  /**
   * Repeats a call until it succeeds.
   *
   * @param onFailure called for each try that fails.
   * @throws GivenUp when the run is over before that.
   */
  async persist<Value>(call: () => Promise<Value>, onFailure: () => void = () => {}): Promise<Value> {
    for (;;) {
      if (this.parts.giveUp.aborted) throw new GivenUp(`${this.name} did not succeed until the end`);
      try {
        return await this.try(call);
      } catch {
        onFailure();
        await sleep(this.random.between(...RETRY_MS));
      }
    }
  }
}

/** Runs all callers of a load until the end; resolves when they have finished their work. */
export async function runLoad(load: Load, parts: LoadParts, counts: LoadCounts): Promise<void> {
  const callers = Array.from({ length: load.callers }, (_, index) => {
    const name = `${load.name} ${index + 1}`;
    return new Caller(name, { ...parts, random: parts.random.fork(name) }, counts);
  });
  await Promise.all(callers.map((caller) => runCaller(load, caller)));
}

async function runCaller(load: Load, caller: Caller): Promise<void> {
  const { until, ledger } = caller.parts;
  while (!until.aborted) {
    try {
      await load.work(caller);
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      ledger.violate(error.message);
    }
    await sleep(caller.random.between(...PAUSE_MS));
  }
}

export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? ` ${error.code}` : "";
  const status = "httpStatus" in error ? ` ${error.httpStatus}` : "";
  return `${error.name}${status}${code} ${error.message}`;
}
