import type { DeskSession, Member } from "@portico/protocol";
import type { DeskAgent } from "../../../domain/customer-service/agent-store.ts";
import { atDesk } from "../../../domain/customer-service/at-desk.ts";
import type { Desk } from "../../../domain/customer-service/desk.ts";
import type { SessionRow } from "../../../domain/customer-service/session-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { agentAt, sessionAt } from "../desk-access.ts";
import { toDeskSession } from "../desk-session-view.ts";
import type { DeskWorkParts } from "../parts.ts";

/** A session that an agent is changing, read under the desk's lock. */
interface Changing {
  desk: Desk;
  tx: Db;
  appId: string;
  agent: DeskAgent;
  session: SessionRow;
}

/**
 * Changes the session in the path, under the desk's lock.
 *
 * @returns the changed session.
 * @throws ApiError 400008 when the member is no agent, 400300 when there is no such session, and the errors of
 * `change`.
 */
export async function changeSession(
  ctx: DeskWorkParts,
  { member, params }: { member: Member; params: { appId: string; sessionId: string } },
  change: (changing: Changing) => Promise<SessionRow>,
): Promise<DeskSession> {
  const { appId } = await agentAt(ctx, ctx.storage.db, member, params.appId);
  return await atDesk(ctx, appId, async (desk, tx) => {
    await desk.lock();
    const { agent } = await agentAt(ctx, tx, member, appId);
    const session = await sessionAt(tx, appId, params.sessionId);
    const changed = await change({ desk, tx, appId, agent, session });
    return await toDeskSession(tx, member, changed, ctx.clock.now());
  });
}
