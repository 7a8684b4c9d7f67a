import { findMessageOfBot } from "../../../domain/conversations/card-message-store.ts";
import { brokenRule } from "../../../platform/errors/refusal.ts";
import { integerParam } from "../../../platform/http/path-params.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { RouteParts } from "../../common/parts.ts";
import type { Call } from "../gate/open-route.ts";

/**
 * The card message that the application may update or recall (docs/contract/cards.md#updating-a-card).
 *
 * @throws ApiError 400008 when the application sent no such message, 400006 when it is not a card.
 */
export async function ownCardMessage(
  db: Db,
  appId: string,
  messageId: number,
): Promise<{ messageId: number; conversationKey: string }> {
  const message = await findMessageOfBot(db, appId, messageId);
  if (message === null) throw brokenRule("message-not-sent");
  if (message.msgType !== "card") throw brokenRule("not-a-card", { facts: { msgType: message.msgType } });
  return message;
}

/** The lane of a call about a card: that of its conversation. */
export async function laneOfCard(call: CallAboutMessage, { storage }: RouteParts): Promise<string | undefined> {
  const { app, params } = call;
  const message = await findMessageOfBot(storage.db, app.appId, integerParam(params, "messageId"));
  return message?.conversationKey;
}

type CallAboutMessage = Pick<Call<unknown, unknown, undefined, { messageId: string }>, "app" | "params">;
