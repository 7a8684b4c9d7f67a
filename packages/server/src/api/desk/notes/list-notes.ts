import { DESK_ENDPOINTS } from "@portico/protocol/endpoints";
import { listNotes as list, measureNotes } from "../../../domain/customer-service/note-store.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { JsonItems } from "../../../platform/http/json-items.ts";
import { SLICE_BYTES } from "../../../platform/http/large-answers.ts";
import { groupsByBytes } from "../../../platform/storage/groups-by-bytes.ts";
import type { ClientRoute } from "../../common/member-route.ts";
import { agentAt, sessionAt } from "../desk-access.ts";
import type { DeskReadParts } from "../parts.ts";
import { toDeskNote } from "./desk-note.ts";

const DEFAULT_LIMIT = 50;
/** The approximate size of a note without its text. */
const OTHER_BYTES = 256;

/** GET .../notes: the notes about the session's visitor, of all sessions; the newest, or those before one. */
export const listNotes: ClientRoute<typeof DESK_ENDPOINTS.listNotes, DeskReadParts> = {
  endpoint: DESK_ENDPOINTS.listNotes,
  async handle(ctx, { member, params, query, room }) {
    const { db } = ctx.storage;
    const { appId } = await agentAt(ctx, db, member, params.appId);
    const { visitorId } = await sessionAt(db, appId, params.sessionId);
    const { before = Number.MAX_SAFE_INTEGER, limit = DEFAULT_LIMIT } = query;
    const lengths = await measureNotes(db, visitorId, { before, limit });
    const [page] = groupsByBytes(lengths, ({ bytes }) => bytes + OTHER_BYTES, SLICE_BYTES);
    const [newest, oldest] = [page?.items[0], page?.items.at(-1)];
    if (page === undefined || newest === undefined || oldest === undefined) return { items: [] };
    await room(page.bytes);
    const range = { from: oldest.noteId, to: newest.noteId, limit };
    const items = await ctx.largeAnswers.read(page.bytes, async () =>
      JsonItems.of((await list(db, visitorId, range)).map((row) => toDeskNote(row, member))),
    );
    return InSlices.whole("items", items, {});
  },
};
