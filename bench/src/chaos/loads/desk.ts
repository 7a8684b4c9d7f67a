import { AGENT, DESK, DESK_EVENT } from "../world.ts";
import type { Caller, Load } from "./load.ts";

const MAX_MESSAGES = 6;

/** Visitors' sessions through the open API: messages both ways, each once and in order, and an event of each. */
export const DESK_SESSIONS: Load = {
  name: "desk",
  callers: 2,
  async work(caller) {
    const { ledger } = caller.parts;
    const thirdUserId = caller.unique();
    const { visitorId } = await caller.persist(() => caller.client(DESK).customer.authVisitor({ thirdUserId }));
    const session = await caller.persist(() => caller.client(DESK).customer.createSession({ visitorId }));
    for (let left = caller.random.between(1, MAX_MESSAGES); left > 0; left--) {
      const text = caller.unique();
      const isVisitors = caller.random.chance(0.6);
      const sent = await caller.persist(() => say(caller, visitorId, text, isVisitors));
      ledger.acknowledge(`visitor:${visitorId}`, { messageId: sent.messageId, seq: sent.seq }, { text });
      if (isVisitors) ledger.expectEvent(DESK_EVENT, sent.messageId);
    }
    const { sessionId } = session;
    const closed = await caller.persist(() => caller.client(DESK).customer.closeSession({ sessionId }));
    if (closed.status !== "CLOSED") ledger.violate(`session ${sessionId} was closed, and is ${closed.status}`);
  },
};

function say(caller: Caller, visitorId: string, text: string, isVisitors: boolean) {
  const { customer } = caller.client(DESK);
  const message = { visitorId, content: text, thirdMsgId: text };
  return isVisitors ? customer.sendMessage(message) : customer.sendAgentMessage({ ...message, agentId: AGENT });
}
