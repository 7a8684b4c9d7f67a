import type { SentCustomerMessage, VisitorMessageBody } from "@portico/protocol";
import { deskLane } from "../../../domain/customer-service/at-desk.ts";
import type { Desk } from "../../../domain/customer-service/desk.ts";
import { parseContent, storeContent } from "../../../domain/customer-service/message-content.ts";
import { visitorKey } from "../../../domain/customer-service/message-store.ts";
import { requireEnabledVisitor } from "../../../domain/customer-service/require.ts";
import { namesNoSession, sessionIdOf } from "../../../domain/customer-service/session-id.ts";
import { findOpenSession, type SessionRow } from "../../../domain/customer-service/session-store.ts";
import {
  findDuplicate,
  type NewMessage,
  storeMessage,
  toSentMessage,
} from "../../../domain/customer-service/store-message.ts";
import { brokenRule } from "../../../platform/errors/refusal.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { RouteParts } from "../../common/parts.ts";
import type { Call } from "../gate/open-route.ts";
import type { SessionMessageParts } from "../parts.ts";
import { API_SOURCE, deskOf } from "./open-desk.ts";

type Sender = NewMessage["sender"];

/** A call that sends a message; `preloaded` says whether it probably needs the desk's lock, as read on arrival. */
export type SendCall<Body extends VisitorMessageBody = VisitorMessageBody> = Call<Body, unknown, boolean>;

/**
 * Sends the call's message, once for each `thirdMsgId`, in the visitor's open session or in a new one. Order of checks:
 * schema, repeat, sender, visitor, session, files.
 *
 * @param findSender throws when there is no such sender.
 */
export async function send<Body extends VisitorMessageBody>(
  ctx: SessionMessageParts,
  tx: Db,
  call: SendCall<Body>,
  senderType: Sender["type"],
  findSender: () => Promise<Sender>,
): Promise<SentCustomerMessage> {
  const { app, body, now } = call;
  const { appId } = app;
  const { visitorId } = body;
  const parsed = parseContent(body);
  const thirdMsgId = body.thirdMsgId ?? null;
  const original = await findDuplicate(tx, { appId, sender: { type: senderType }, thirdMsgId });
  if (original !== null) return toSentMessage(original, true);
  const desk = deskOf(ctx, tx, call);
  // Must precede the agent's lookup: an agent removed in between would keep a session that nobody returns to the queue.
  const open = await lockDeskIfNeeded(tx, desk, call, senderType);
  const sender = await findSender();
  await requireEnabledVisitor(tx, appId, visitorId);
  const session = await sessionFor(desk, open, body, sender);
  const content = await storeContent(ctx, tx, parsed, ownersOfFiles(appId, visitorId), now);
  const { msgType } = parsed;
  const message = { appId, visitorId, sender, session, thirdMsgId, msgType, content, now };
  return toSentMessage(await storeMessage(tx, desk, message), false);
}

function ownersOfFiles(appId: string, visitorId: string) {
  return [
    { type: "APP", id: appId },
    { type: "VISITOR", id: visitorId },
  ] as const;
}

/** The visitor's open session; locks the desk if a session must be opened or assigned. */
async function lockDeskIfNeeded(
  tx: Db,
  desk: Desk,
  { app, body, preloaded }: SendCall,
  senderType: Sender["type"],
): Promise<SessionRow | null> {
  const open = await openSessionOf(tx, app.appId, body.visitorId);
  if (!preloaded && !isForDesk(open, senderType)) return open;
  await desk.lock();
  return await openSessionOf(tx, app.appId, body.visitorId);
}

/**
 * The session for a message. It is opened if none is; an agent who writes to a queued visitor takes the session.
 *
 * @throws ApiError 400300 when the call names a session other than the open one.
 */
async function sessionFor(
  desk: Desk,
  open: SessionRow | null,
  { visitorId, sessionId }: VisitorMessageBody,
  sender: Sender,
): Promise<SessionRow> {
  if (!namesNoSession(sessionId) && (open === null || open.sessionId !== sessionIdOf(sessionId))) {
    throw brokenRule("session-unknown", { pointer: "/sessionId" });
  }
  const agentUserId = sender.type === "AGENT" ? sender.userId : null;
  if (open === null) {
    return (await desk.open(visitorId, { source: API_SOURCE, subject: "", agentUserId })).session;
  }
  return agentUserId !== null && open.status === "QUEUED" ? await desk.assign(open, agentUserId) : open;
}

/** Whether a message in this session requires opening or assigning one. */
function isForDesk(open: SessionRow | null, senderType: Sender["type"]): boolean {
  return open === null || (senderType === "AGENT" && open.status === "QUEUED");
}

/** Whether a message probably needs the desk's lock. */
export async function looksForDesk(
  { app, body }: Call<VisitorMessageBody, unknown>,
  { storage }: RouteParts,
  senderType: Sender["type"],
): Promise<boolean> {
  return isForDesk(await openSessionOf(storage.db, app.appId, body.visitorId), senderType);
}

/** The visitor's open session, if the visitor belongs to the application. */
async function openSessionOf(db: Db, appId: string, visitorId: string): Promise<SessionRow | null> {
  const open = await findOpenSession(db, visitorId);
  return open?.appId === appId ? open : null;
}

/** The lane of a call that sends a message. */
export function sendLane({ app, body, preloaded }: SendCall): string {
  return preloaded ? deskLane(app.appId) : visitorKey(body.visitorId);
}
