import { setTimeout as sleepMs } from "node:timers/promises";
import type { CallerOptions } from "./caller.ts";

/** The largest delay that a Node.js timer accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Options of a {@link PorticoClient}. */
export interface PorticoClientOptions {
  /** Address of the open API, for example `https://open.example.com`: an origin, without a path. */
  baseUrl: string;
  appId: string;
  /** Id of the credential that `appSecret` belongs to; starts with `cred_`. */
  credentialId: string;
  /** The app secret as it was shown. Keep it on the server side. */
  appSecret: string;
  /** Timeout of one try, from connecting to the last byte of the answer, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  /** Timeout of one try of an upload (up to 20 MiB), in milliseconds. Default 120,000. */
  uploadTimeoutMs?: number;
  /** Retries after the first try; 0 disables them. Default 3. */
  maxRetries?: number;
  /**
   * The longest wait between two tries, in milliseconds. A refusal with a longer `Retry-After` is thrown at once.
   * Default 60,000.
   */
  maxRetryDelayMs?: number;
  /** The current time in epoch milliseconds. */
  clock?: () => number;
  /** A random number from 0 (included) to 1 (excluded), for the jitter of retries. */
  random?: () => number;
  /** Resolves after this many milliseconds. */
  sleep?: (delayMs: number) => Promise<unknown>;
  /** The fetch function to use, for example with a proxy or a private certificate authority. */
  fetch?: typeof globalThis.fetch;
}

/**
 * The options with their defaults.
 *
 * @internal
 * @throws TypeError or RangeError naming the invalid option.
 */
export function checkedOptions(options: PorticoClientOptions): CallerOptions {
  return {
    origin: originOf(options.baseUrl),
    appId: filled("appId", options.appId),
    credentialId: filled("credentialId", options.credentialId),
    appSecret: filled("appSecret", options.appSecret),
    timeoutMs: wholeNumber("timeoutMs", options.timeoutMs ?? 10_000, 1),
    uploadTimeoutMs: wholeNumber("uploadTimeoutMs", options.uploadTimeoutMs ?? 120_000, 1),
    maxRetries: wholeNumber("maxRetries", options.maxRetries ?? 3, 0),
    maxRetryDelayMs: wholeNumber("maxRetryDelayMs", options.maxRetryDelayMs ?? 60_000, 0),
    clock: options.clock ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleepMs,
    fetch: options.fetch ?? globalThis.fetch,
  };
}

/** A path is not allowed: the service signs the path that it receives, and a proxy may have changed a prefix. */
function originOf(baseUrl: string): string {
  // Node 20 has no URL.parse.
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === null || !isHttp || url.href !== `${url.origin}/`) {
    throw new TypeError("baseUrl must be an http or https origin such as https://open.example.com, without a path");
  }
  return url.origin;
}

function filled(name: string, value: string): string {
  if (typeof value !== "string" || value === "") throw new TypeError(`${name} must be a non-empty string`);
  return value;
}

function wholeNumber(name: string, value: number, minimum: number): number {
  if (!Number.isInteger(value) || value < minimum || value > MAX_TIMER_MS) {
    throw new RangeError(`${name} must be a whole number from ${minimum} to ${MAX_TIMER_MS}`);
  }
  return value;
}
