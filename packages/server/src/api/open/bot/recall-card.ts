import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { appendChange } from "../../../domain/conversations/append.ts";
import { markRecalled } from "../../../domain/conversations/card-message-store.ts";
import { integerParam } from "../../../platform/http/path-params.ts";
import type { LiveParts } from "../../common/parts.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import { laneOfCard, ownCardMessage } from "./card-message.ts";

/**
 * DELETE /api/open/v2/bot/messages/{messageId}/card (docs/contract/cards.md#recalling-a-card): true the first time,
 * false afterwards.
 */
export const recallCard: OpenRoute<typeof OPEN_ENDPOINTS.recallCard, LiveParts> = {
  endpoint: OPEN_ENDPOINTS.recallCard,
  lane: laneOfCard,
  inStep: () => true,
  async handle(ctx, tx, call) {
    const { messageId, conversationKey } = await ownCardMessage(
      tx,
      call.app.appId,
      integerParam(call.params, "messageId"),
    );
    if (!(await markRecalled(tx, messageId, call.now))) return false;
    const msgSeq = await appendChange(tx, { conversationKey, type: "message.recalled", messageId });
    call.afterCommit(() => ctx.live.changed(conversationKey, msgSeq));
    return true;
  },
};
