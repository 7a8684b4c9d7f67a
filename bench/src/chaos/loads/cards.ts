import type { Card } from "@portico/sdk";
import { BOT, GROUP_IDS } from "../world.ts";
import type { Load } from "./load.ts";

const MAX_UPDATES = 3;
const RECALLED = 0.3;

/** Cards that are sent, changed and sometimes recalled; the last acknowledged state must hold. */
export const CARDS: Load = {
  name: "card",
  callers: 2,
  async work(caller) {
    const { ledger } = caller.parts;
    const groupId = caller.random.pick(GROUP_IDS);
    const conversation = `group:${groupId}`;
    const first = caller.unique();
    const { messageId, msgSeq } = await caller.persist(() =>
      caller.client(BOT).bot.sendMessage({
        receiveIdType: "group_id",
        receiveId: groupId,
        msgType: "card",
        content: { card: cardOf(first) },
        clientMessageId: first,
      }),
    );
    ledger.acknowledge(conversation, { messageId, seq: msgSeq }, { card: first, late: [] });
    const late: string[] = [];
    for (let left = caller.random.between(0, MAX_UPDATES); left > 0; left--) {
      const next = caller.unique();
      const change = await caller.persist(
        () => caller.client(BOT).bot.updateCard({ messageId, card: cardOf(next) }),
        () => late.push(next),
      );
      ledger.takePlace(conversation, change.msgSeq, messageId);
      ledger.expect(conversation, messageId, { card: next, late });
    }
    if (!caller.random.chance(RECALLED)) return;
    await caller.persist(() => caller.client(BOT).bot.recallCard(messageId));
    ledger.expect(conversation, messageId, { recalled: true });
  },
};

function cardOf(text: string): Card {
  const button = { tag: "button" as const, name: "ok", text: { tag: "plain_text", content: "OK" } };
  return { schema: "2.0" as const, body: { elements: [{ tag: "markdown", content: text }, button] } };
}
