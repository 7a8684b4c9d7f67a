import { setTimeout as sleepMs } from "node:timers/promises";
import { BotApi } from "./bot.ts";
import { Caller } from "./caller.ts";
import { CustomerApi } from "./customer.ts";
import { MiniappApi } from "./miniapp.ts";
import { openApi } from "./open-api.ts";

/** Largest delay that a timer takes. */
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
  /** Milliseconds for one try, from connecting to the last byte of the answer. Default 10,000. */
  timeoutMs?: number;
  /** The same for an upload, which may carry 20 MiB. Default 120,000. */
  uploadTimeoutMs?: number;
  /** Retries beside the first try; 0 turns them off. Default 3. */
  maxRetries?: number;
  /** Longest wait between two tries; a refusal whose `Retry-After` is longer is thrown at once. Default 60,000. */
  maxRetryDelayMs?: number;
  /** Now, in milliseconds since the epoch. */
  clock?: () => number;
  /** A number from 0 up to, not including, 1, for the jitter of retries. */
  random?: () => number;
  /** Resolves after that many milliseconds. */
  sleep?: (delayMs: number) => Promise<unknown>;
  /** What carries requests, for a proxy or a private certificate authority. */
  fetch?: typeof globalThis.fetch;
}

/**
 * A client of Portico's open API. It signs each request, bounds it in time, and retries, with backoff, what the
 * service refused for the moment only (codes `500000` and `429001`). One client serves any number of calls at once.
 *
 * @example
 * const client = new PorticoClient({ baseUrl: "http://localhost:8080", appId, credentialId, appSecret });
 * const [app] = await client.bot.listApps();
 */
export class PorticoClient {
  /** The bot capability: messages, cards, files and installations. */
  readonly bot: BotApi;
  /** Customer service: visitors, sessions, messages and agents. */
  readonly customer: CustomerApi;
  /** The mini-program runtime: who has opened a mini-program. */
  readonly miniapp: MiniappApi;

  /** @throws TypeError or RangeError, naming the option, when an option cannot be used. */
  constructor(options: PorticoClientOptions) {
    const caller = new Caller({
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
    });
    const api = openApi(caller);
    this.bot = new BotApi(caller, api);
    this.customer = new CustomerApi(api);
    this.miniapp = new MiniappApi(api);
  }
}

/** A path is refused because the service signs the path it receives, and a prefix never reaches it unchanged. */
function originOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
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
