import { ApiError, type SentCustomerMessage, type VisitorMessageBody } from "@portico/protocol";
import type { Context } from "../context.ts";
import type { Call } from "../gate/open-route.ts";
import type { Db } from "../storage/schema.ts";
import { type Desk, deskLane } from "./desk.ts";
import { enabledVisitor } from "./known.ts";
import { visitorKey } from "./message-store.ts";
import { API_SOURCE, deskOf } from "./open-desk.ts";
import { readSaid, storeSaid } from "./said-content.ts";
import { findSaid, type Said, say } from "./say.ts";
import { namesNoSession, sessionIdOf } from "./session-id.ts";
import { findOpenSession, type SessionRow } from "./session-store.ts";

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
  const said = readSaid(body);
  const thirdMsgId = body.thirdMsgId ?? null;
  const original = await findSaid(tx, { appId, sender: { type: senderType }, thirdMsgId });
  if (original !== null) return sentAs(original, true);
  const sender = await findSender();
  await enabledVisitor(tx, appId, visitorId);
  const desk = deskOf(ctx, tx, call);
  const session = await sessionFor(tx, desk, call, sender);
  const content = await storeSaid(ctx, tx, said, ownersOfFiles(appId, visitorId), now);
  const { msgType } = said;
  const message = { appId, visitorId, sender, session, thirdMsgId, msgType, content, now };
  return sentAs(await say(tx, desk, message), false);
}

function sentAs(
  { messageId, sessionId, seq }: Omit<SentCustomerMessage, "isDuplicate">,
  isDuplicate: boolean,
): SentCustomerMessage {
  return { messageId, sessionId, seq, isDuplicate };
}

function ownersOfFiles(appId: string, visitorId: string) {
  return [
    { type: "APP", id: appId },
    { type: "VISITOR", id: visitorId },
  ] as const;
}

/**
 * The session in which a message is to be said. It is opened if none is; an agent who says something to somebody in the
 * queue takes them from there.
 *
 * @throws ApiError 400300 when the call names another than the one that is open.
 */
async function sessionFor<Body extends VisitorMessageBody>(
  tx: Db,
  desk: Desk,
  { body: { visitorId, sessionId }, seen }: SendCall<Body>,
  sender: Sender,
): Promise<SessionRow> {
  let open = await findOpenSession(tx, visitorId);
  if (seen || isForDesk(open, sender.type)) {
    await desk.hold();
    open = await findOpenSession(tx, visitorId);
  }
  if (!namesNoSession(sessionId) && (open === null || open.sessionId !== sessionIdOf(sessionId))) {
    throw new ApiError("SESSION_NOT_FOUND");
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
  const open = await findOpenSession(ctx.storage.db, body.visitorId);
  // Another application's is none of its.
  return isForDesk(open?.appId === app.appId ? open : null, senderType);
}

/** What a message's call contends for. */
export function sendLane({ app, body, seen }: SendCall): string {
  return seen ? deskLane(app.appId) : visitorKey(body.visitorId);
}
