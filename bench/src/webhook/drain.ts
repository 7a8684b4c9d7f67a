import type { Child } from "../contenders/child.ts";
import { cpuSecondsOf } from "../process-usage.ts";
import { checkEachOnce } from "./receipts.ts";
import { Receiver } from "./receiver.ts";

/** A program that delivers a backlog. */
export interface Drainer {
  name: string;
  /** Starts it with `events` events to deliver to `url`. */
  start(url: string, events: number): Promise<Child>;
}

/** The figures of one delivered backlog. */
export interface Drain {
  events: number;
  perSecond: number;
  /** Processor time of the drainer's process per event; null when the system does not report it. */
  cpuMsPerEvent: number | null;
  /** Share of one core used by the receiver. */
  receiverCpu: number;
}

/**
 * Lets `drainer` deliver `warmUp + events` events, and measures from the receipt of the last warm-up event.
 *
 * @throws when an event is not received exactly once.
 */
export async function measureDrain(drainer: Drainer, warmUp: number, events: number): Promise<Drain> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.adopt(await Receiver.open({ hangs: false }), (open) => open.close());
  const { receipts, url } = receiver;
  const child = opened.adopt(await drainer.start(url, warmUp + events), (started) => started.stop());
  await receiver.until(warmUp);
  const before = receipts.length;
  const receiverBefore = process.cpuUsage();
  const cpuBefore = cpuSecondsOf(child.pid);
  const startedMs = performance.now();
  await receiver.until(warmUp + events);
  const cpuAfter = cpuSecondsOf(child.pid);
  const receiverUsed = process.cpuUsage(receiverBefore);
  const elapsedMs = performance.now() - startedMs;
  const received = receipts.length - before;
  await child.stop();

  checkEachOnce(receipts, warmUp + events);
  return {
    events: received,
    perSecond: (received / elapsedMs) * 1_000,
    cpuMsPerEvent: cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1_000) / received,
    receiverCpu: (receiverUsed.user + receiverUsed.system) / 1_000 / elapsedMs,
  };
}
