import type { SentMessage } from "@portico/protocol";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { cardContent, receivedCard } from "../../../domain/cards/card-content.ts";
import { appendChange } from "../../../domain/conversations/append.ts";
import { findCardVersion, replaceCard } from "../../../domain/conversations/card-message-store.ts";
import { mayNameImages } from "../../../domain/conversations/files-of-content.ts";
import { brokenRule, type Refusal } from "../../../platform/errors/refusal.ts";
import { integerParam } from "../../../platform/http/path-params.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import type { SendParts } from "../parts.ts";
import { laneOfCard, ownCardMessage } from "./card-message.ts";

/**
 * PUT /api/open/v2/bot/messages/{messageId}/card (docs/contract/cards.md#updating-a-card). Order of checks: the
 * message's sender, its type, the card's rules, its version. A recalled card can be updated; members still see it as
 * recalled.
 */
export const updateCard: OpenRoute<typeof OPEN_ENDPOINTS.updateCard, SendParts> = {
  endpoint: OPEN_ENDPOINTS.updateCard,
  stores: true,
  lane: laneOfCard,
  inStep: ({ rawBody }) => !mayNameImages(rawBody),
  async handle(ctx, tx, call): Promise<SentMessage> {
    const { app, body, now } = call;
    const { messageId, conversationKey } = await ownCardMessage(tx, app.appId, integerParam(call.params, "messageId"));
    const card = receivedCard(body.card, call.rawBody, ["card"]);
    const content = await cardContent(ctx, tx, { type: "APP", id: app.appId }, card, now);
    if (!(await replaceCard(tx, messageId, content, body.version ?? null))) {
      // An erasure may have emptied it since.
      await ownCardMessage(tx, app.appId, messageId);
      throw await versionConflict(tx, messageId, body.version ?? null);
    }
    const msgSeq = await appendChange(tx, { conversationKey, type: "card.updated", messageId });
    call.afterCommit(() => ctx.live.changed(conversationKey, msgSeq));
    return { messageId, msgSeq, clientMessageId: null, duplicate: false };
  },
};

/** The contract makes this indistinguishable from an internal error (docs/contract/cards.md#updating-a-card). */
async function versionConflict(tx: Db, messageId: number, given: number | null): Promise<Refusal> {
  const current = await findCardVersion(tx, messageId);
  const reason = `the card has version ${current}, not ${given}`;
  return brokenRule("card-version", { pointer: "/version", facts: { given, current }, reason });
}
