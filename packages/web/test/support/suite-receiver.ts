import { after, before } from "node:test";
import { type Receiver, startReceiver } from "../../../server/test/support/receiver.ts";

/** A receiver of callbacks for the tests of a `describe`: there from the first to the last of them. */
export function suiteReceiver(): () => Receiver {
  let receiver: Receiver | undefined;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver?.stop());
  return () => {
    if (receiver === undefined) throw new Error("the receiver is there in tests alone");
    return receiver;
  };
}
