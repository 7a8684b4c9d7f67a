import type { TestContext } from "node:test";
import { type AttemptRequest, Attempts } from "../../src/domain/webhooks/attempts/attempt.ts";
import type { AttemptResult } from "../../src/domain/webhooks/attempts/attempt-result.ts";
import { AddressGuard } from "../../src/platform/network/address-guard.ts";
import type { Lookup } from "../../src/platform/network/lookups.ts";
import { TEST_CA } from "./certificates.ts";
import { type Receiver, type ReceiverOptions, resolverOf, startReceiver } from "./receiver.ts";
import { TestClock } from "./test-clock.ts";

/** Options of a test's delivery attempts. */
export interface AttemptsSettings {
  lookup?: Lookup;
  allowNetworks?: string[];
  connectTimeoutMs?: number;
  readTimeoutMs?: number;
  /** Null for the usual certificate authorities. */
  ca?: string | null;
  connectionsPerOrigin?: number;
  idleConnections?: number;
  connectionMaxAgeMs?: number;
}

/** Long enough for a busy machine. */
const AMPLE_MS = 60_000;

/** Delivery attempts that trust the test authority and may call receivers on the loopback interface. */
export function attemptsFor(t: TestContext, settings: AttemptsSettings = {}): Attempts {
  const {
    lookup = resolverOf({ "receiver.test": ["127.0.0.1"] }),
    allowNetworks = ["127.0.0.0/8", "::1/128"],
    connectTimeoutMs = AMPLE_MS,
    readTimeoutMs = AMPLE_MS,
    ca = TEST_CA,
    ...limits
  } = settings;
  const attempts = new Attempts({
    guard: new AddressGuard({ allowNetworks, lookup }),
    connectTimeoutMs,
    readTimeoutMs,
    connectionWaitMs: AMPLE_MS,
    clock: new TestClock(),
    tls: ca === null ? {} : { ca },
    ...limits,
  });
  t.after(() => attempts.close());
  return attempts;
}

/** Starts a receiver that stops with the test. */
export async function receiverFor(t: TestContext, options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = await startReceiver(options);
  t.after(() => receiver.stop());
  return receiver;
}

/** Delivers a small event once. */
export function attempt(
  attempts: Attempts,
  url: string,
  request: Partial<AttemptRequest> = {},
): Promise<AttemptResult> {
  const headers = { "Content-Type": "application/json; charset=UTF-8" };
  return attempts.run({
    pool: "app_1",
    url,
    body: Buffer.from('{"eventId":"evt_1"}'),
    headers: () => headers,
    ...request,
  });
}
