import type { SentCustomerMessage, VisitorMessageBody } from "@portico/protocol";
import { type Desk, deskLane } from "../../../domain/customer-service/desk.ts";
import { visitorKey } from "../../../domain/customer-service/message-store.ts";
import { requireEnabledVisitor } from "../../../domain/customer-service/require.ts";
import { parseSaid, storeSaid } from "../../../domain/customer-service/said-content.ts";
import { findSaid, type Said, say, sentAs } from "../../../domain/customer-service/say.ts";
import { namesNoSession, sessionIdOf } from "../../../domain/customer-service/session-id.ts";
import { findOpenSession, type SessionRow } from "../../../domain/customer-service/session-store.ts";
import { brokenRule } from "../../../platform/errors/refusal.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Context } from "../../common/context.ts";
import type { Call } from "../gate/open-route.ts";
import { API_SOURCE, deskOf } from "./open-desk.ts";

type Sender = Said["sender"];

/** A call that sends a message, and whether it seemed on arrival to have something to do at the desk. */
export type SendCall<Body extends VisitorMessageBody = VisitorMessageBody> = Call<Body, unknown, boolean>;

/**
 * Says what the call's body says, once for each `thirdMsgId`: in the visitor's open session, or in a new one. Order:
 * schema, repeat, sender, visitor, session, files.
 *
 * @param findSender throws when there is no such sender.
 */
export async function send<Body extends VisitorMessageBody>(
  ctx: Context,
  tx: Db,
  call: SendCall<Body>,
  senderType: Sender["type"],
  findSender: () => Promise<Sender>,
): Promise<SentCustomerMessage> {
  const { app, body, now } = call;
  const { appId } = app;
  const { visitorId } = body;
  const said = parseSaid(body);
  const thirdMsgId = body.thirdMsgId ?? null;
  const original = await findSaid(tx, { appId, sender: { type: senderType }, thirdMsgId });
  if (original !== null) return sentAs(original, true);
  const desk = deskOf(ctx, tx, call);
  // Before the agent is looked up: one who is removed meanwhile would be left with a session that nobody gives back.
  const open = await lockDeskIfNeeded(tx, desk, call, senderType);
  const sender = await findSender();
  await requireEnabledVisitor(tx, appId, visitorId);
  const session = await sessionFor(desk, open, body, sender);
  const content = await storeSaid(ctx, tx, said, ownersOfFiles(appId, visitorId), now);
  const { msgType } = said;
  const message = { appId, visitorId, sender, session, thirdMsgId, msgType, content, now };
  return sentAs(await say(tx, desk, message), false);
}

function ownersOfFiles(appId: string, visitorId: string) {
  return [
    { type: "APP", id: appId },
    { type: "VISITOR", id: visitorId },
  ] as const;
}

/** The visitor's open session; the desk is locked where it is to be opened or assigned. */
async function lockDeskIfNeeded(
  tx: Db,
  desk: Desk,
  { app, body, seen }: SendCall,
  senderType: Sender["type"],
): Promise<SessionRow | null> {
  const open = await openSessionOf(tx, app.appId, body.visitorId);
  if (!seen && !isForDesk(open, senderType)) return open;
  await desk.lock();
  return await openSessionOf(tx, app.appId, body.visitorId);
}

/**
 * The session in which a message is to be said. It is opened if none is; an agent who says something to somebody in the
 * queue takes them from there.
 *
 * @throws ApiError 400300 when the call names another than the one that is open.
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

/** Whether to say something in this session means to open or to assign one. */
function isForDesk(open: SessionRow | null, senderType: Sender["type"]): boolean {
  return open === null || (senderType === "AGENT" && open.status === "QUEUED");
}

/** Whether a message seems to have something to do at the desk. */
export async function looksForDesk(
  { app, body }: Call<VisitorMessageBody, unknown>,
  ctx: Context,
  senderType: Sender["type"],
): Promise<boolean> {
  return isForDesk(await openSessionOf(ctx.storage.db, app.appId, body.visitorId), senderType);
}

/** The visitor's open session, if they are the application's. */
async function openSessionOf(db: Db, appId: string, visitorId: string): Promise<SessionRow | null> {
  const open = await findOpenSession(db, visitorId);
  return open?.appId === appId ? open : null;
}

/** What a message's call contends for. */
export function sendLane({ app, body, seen }: SendCall): string {
  return seen ? deskLane(app.appId) : visitorKey(body.visitorId);
}
