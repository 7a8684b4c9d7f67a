import type { DeskSession, Member } from "@portico/protocol";
import type { DeskAgent } from "../../../domain/customer-service/agent-store.ts";
import { atDesk, type Desk } from "../../../domain/customer-service/desk.ts";
import type { SessionRow } from "../../../domain/customer-service/session-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Context } from "../../common/context.ts";
import { agentAt, sessionAt } from "../desk-access.ts";
import { toDeskSessions } from "../desk-session-view.ts";

/** A session that an agent is about to change, as it is under the desk's lock. */
interface Changing {
  desk: Desk;
  tx: Db;
  appId: string;
  agent: DeskAgent;
  session: SessionRow;
}

/**
 * Changes the session that the path names, under the desk's lock.
 *
 * @returns the session as it is then.
 * @throws ApiError 400008 for who is no agent, 400300 when there is no such session, and what `change` throws.
 */
export async function changeSession(
  ctx: Context,
  { member, params }: { member: Member; params: { appId: string; sessionId: string } },
  change: (changing: Changing) => Promise<SessionRow>,
): Promise<DeskSession> {
  const { appId } = await agentAt(ctx, ctx.storage.db, member, params.appId);
  return await atDesk(ctx, appId, async (desk, tx) => {
    await desk.lock();
    const { agent } = await agentAt(ctx, tx, member, appId);
    const session = await sessionAt(tx, appId, params.sessionId);
    const changed = await change({ desk, tx, appId, agent, session });
    const [shown] = await toDeskSessions(tx, member, [changed], ctx.clock.now());
    if (shown === undefined) throw new Error("a session has gone beside the desk's lock");
    return shown;
  });
}
