import type { Child } from "../contenders/child.ts";
import { MemberCaller } from "../load/member-caller.ts";
import { makeFacts } from "./make-facts.ts";
import { type Fact, lateReceiptsOf } from "./receipts.ts";
import { Receiver } from "./receiver.ts";
import { MEMBER } from "./world.ts";

const WARM_UP_SECONDS = 1;

/** The delays of events. */
export interface Latency {
  /** In milliseconds from the answer of the message to the receipt of its event. */
  lateMs: number[];
  /** Requests that the hanging receiver did not answer. */
  hung: number;
}

/**
 * Lets a member write to a bot for `seconds`, and to another bot whose receiver hangs, and measures the delay of the
 * first bot's events.
 *
 * @param start starts the service with the callback addresses of the two applications.
 * @throws when an event is not received exactly once, or no request hangs.
 */
export async function measureLatency(
  start: (url: string, hangingUrl: string) => Promise<Child>,
  seconds: number,
): Promise<Latency> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.adopt(await Receiver.open({ hangs: false }), (open) => open.close());
  const hanging = await Receiver.open({ hangs: true });
  opened.defer(() => hanging.close());
  const service = opened.adopt(await start(receiver.url, hanging.url), (started) => started.stop());
  const member = opened.use(await MemberCaller.signIn(service.port, MEMBER));

  const warmUp = await makeFacts(member, WARM_UP_SECONDS);
  const facts: Fact[] = [...warmUp, ...(await makeFacts(member, seconds))];
  await receiver.until(facts.length);
  const hung = hanging.receipts.length;
  if (hung === 0) throw new Error("the hanging receiver was not called");
  // Otherwise the service would wait for its answers.
  hanging.close();
  await service.stop();
  return { lateMs: lateReceiptsOf(facts, receiver.receipts).slice(warmUp.length), hung };
}
