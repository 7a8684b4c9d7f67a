import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { atDesk } from "../../../domain/customer-service/at-desk.ts";
import type { Desk } from "../../../domain/customer-service/desk.ts";
import { checkNotBlank } from "../../../domain/customer-service/message-content.ts";
import { visitorKey } from "../../../domain/customer-service/message-store.ts";
import { storeNote } from "../../../domain/customer-service/store-note.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt, sessionAt } from "../desk-access.ts";
import type { DeskWorkParts } from "../parts.ts";
import { toDeskNote } from "./desk-note.ts";

/** POST .../notes: by any agent of the application, in a session of any state; once for each clientNoteId. */
export const postNote: ClientRoute<typeof DESK_ENDPOINTS.postNote, DeskWorkParts> = {
  endpoint: DESK_ENDPOINTS.postNote,
  stores: true,
  async handle(ctx, { member, params, body }) {
    const { text, clientNoteId = null } = body;
    checkNotBlank("text", text);
    const { db } = ctx.storage;
    const { appId } = await agentAt(ctx, db, member, params.appId);
    const { sessionId, visitorId } = await sessionAt(db, appId, params.sessionId);
    const agentUserId = member.userId;
    const work = async (desk: Desk, tx: Db) => {
      // Again: the member may have been removed from the agents meanwhile.
      await agentAt(ctx, tx, member, appId);
      const now = ctx.clock.now();
      return await storeNote(tx, desk, { appId, visitorId, sessionId, agentUserId, clientNoteId, text, now });
    };
    const note = await atDesk(ctx, appId, work, visitorKey(visitorId));
    return toDeskNote(note, member);
  },
};
