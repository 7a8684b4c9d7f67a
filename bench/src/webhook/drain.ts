import type { Child } from "../contenders/child.ts";
import { cpuSecondsOf } from "../process-usage.ts";
import { checkEachOnce } from "./receipts.ts";
import { Receiver } from "./receiver.ts";

/** One who delivers a backlog. */
export interface Drainer {
  name: string;
  /** Starts it with `events` events that it is to deliver to `url`. */
  start(url: string, events: number): Promise<Child>;
}

/** The figures of one backlog's delivery. */
export interface Drain {
  events: number;
  perSecond: number;
  /** Processor time of the drainer's process for one event; null where the system does not tell. */
  cpuMsPerEvent: number | null;
  /** Share of one core that the receiver used. */
  receiverCpu: number;
}

/**
 * Has `drainer` deliver `warmUp + events` events, and measures from the receipt of the last of the warm-up on.
 *
 * @throws when any of them is not received exactly once.
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
