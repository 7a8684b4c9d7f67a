import type { CustomerMessage, CustomerMessageType, SentCustomerMessage } from "@portico/protocol";
import { RaceLost } from "../../platform/storage/savepoint.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Desk } from "./desk.ts";
import { indexMessage } from "./message-search.ts";
import { findByThirdMsgId, insertMessage, listMessages, toMessage } from "./message-store.ts";
import { findSession, lockOpenSession, noteMessageOf, type SessionRow } from "./session-store.ts";

/** A message to store in customer service. */
export interface NewMessage {
  appId: string;
  visitorId: string;
  sender: { type: "VISITOR" } | { type: "AGENT"; userId: string };
  /** Its session, which was open when it was read. */
  session: SessionRow;
  thirdMsgId: string | null;
  msgType: CustomerMessageType;
  /** JSON text. */
  content: string;
  now: number;
}

/**
 * Stores a message in an open session and announces it.
 *
 * @throws RaceLost when the session was closed meanwhile or the `thirdMsgId` was taken; the transaction must be
 * retried.
 */
export async function storeMessage(tx: Db, desk: Desk, newMessage: NewMessage): Promise<CustomerMessage> {
  const { appId, visitorId, sender, session, thirdMsgId, msgType, content, now } = newMessage;
  const { sessionId } = session;
  if (!(await lockOpenSession(tx, sessionId))) throw new RaceLost("the session was closed meanwhile");
  const agentUserId = sender.type === "AGENT" ? sender.userId : null;
  const senderType = sender.type;
  const stored = { appId, visitorId, sessionId, senderType, agentUserId, thirdMsgId, msgType, content, now };
  const { messageId, seq } = await insertMessage(tx, stored);
  await indexMessage(tx, { messageId, appId, content });
  await noteMessageOf(tx, sessionId, { seq, isReply: senderType === "AGENT", now });
  const [row] = await listMessages(tx, visitorId, { from: seq, to: seq });
  const current = await findSession(tx, appId, sessionId);
  if (row === undefined || current === null) throw new Error("what was just stored is not there");
  const message = toMessage(row);
  await desk.messageStored(message, current);
  return message;
}

/** The message already stored under this `thirdMsgId` (then nothing is stored again); null when there is none. */
export async function findDuplicate(
  db: Db,
  {
    appId,
    sender,
    thirdMsgId,
  }: Pick<NewMessage, "appId" | "thirdMsgId"> & { sender: Pick<NewMessage["sender"], "type"> },
): Promise<{ messageId: number; sessionId: number; seq: number } | null> {
  return thirdMsgId === null ? null : await findByThirdMsgId(db, appId, sender.type, thirdMsgId);
}

/** The answer to the sender of a message. */
export function toSentMessage(
  { messageId, sessionId, seq }: Omit<SentCustomerMessage, "isDuplicate">,
  isDuplicate: boolean,
): SentCustomerMessage {
  return { messageId, sessionId, seq, isDuplicate };
}
