import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** A note to store. */
export type NewNote = {
  appId: string;
  visitorId: string;
  sessionId: number;
  /** userId of the agent who writes it. */
  agentUserId: string;
  /** A repeat with the same key stores nothing. */
  clientNoteId: string | null;
  text: string;
  now: number;
};

/** A stored note. */
export interface NoteRow {
  noteId: number;
  visitorId: string;
  sessionId: number;
  agentUserId: string;
  agentId: string | null;
  agentName: string | null;
  clientNoteId: string | null;
  text: string;
  createdAt: number;
}

function selectNotes(db: Db) {
  return db
    .selectFrom("customer_notes")
    .leftJoin("members", "members.user_id", "customer_notes.agent_user_id")
    .select([
      "note_id as noteId",
      "visitor_id as visitorId",
      "session_id as sessionId",
      "agent_user_id as agentUserId",
      "members.username as agentId",
      "members.name as agentName",
      "client_note_id as clientNoteId",
      "text",
      "created_at as createdAt",
    ]);
}

const insert = prepared<NewNote>()((db, param) =>
  db
    .insertInto("customer_notes")
    .values({
      app_id: param("appId"),
      visitor_id: param("visitorId"),
      session_id: param("sessionId"),
      agent_user_id: param("agentUserId"),
      client_note_id: param("clientNoteId"),
      text: param("text"),
      created_at: param("now"),
    })
    .onConflict((conflict) =>
      conflict
        .columns(["app_id", "agent_user_id", "client_note_id"])
        .where("client_note_id", "is not", null)
        .doNothing(),
    )
    .returning("note_id as noteId"),
);

const selectNote = prepared<{ appId: string; noteId: number }>()((db, param) =>
  selectNotes(db).where("note_id", "=", param("noteId")).where("app_id", "=", param("appId")),
);
const selectByClientId = prepared<{ appId: string; agentUserId: string; clientNoteId: string }>()((db, param) =>
  selectNotes(db)
    .where("app_id", "=", param("appId"))
    .where("agent_user_id", "=", param("agentUserId"))
    .where("client_note_id", "=", param("clientNoteId")),
);

/** Inserts a note; null when the agent has written one with this `clientNoteId`. */
export async function insertNote(tx: Db, note: NewNote): Promise<number | null> {
  return (await insert.first(tx, note))?.noteId ?? null;
}

/** The application's note; null when there is none with this id. */
export async function findNote(db: Db, appId: string, noteId: number): Promise<NoteRow | null> {
  return (await selectNote.first(db, { appId, noteId })) ?? null;
}

/** The note that the agent wrote with this `clientNoteId`; null when there is none. */
export async function findNoteByClientId(
  db: Db,
  key: { appId: string; agentUserId: string; clientNoteId: string },
): Promise<NoteRow | null> {
  return (await selectByClientId.first(db, key)) ?? null;
}

const selectLengths = prepared<{ visitorId: string; before: number; limit: number }>()((db, param) =>
  db
    .selectFrom("customer_notes")
    .select(({ ref }) => ["note_id as noteId", sql<number>`octet_length(${ref("text")})`.as("bytes")])
    .where("visitor_id", "=", param("visitorId"))
    .where("note_id", "<", param("before"))
    .orderBy("note_id", "desc")
    .limit(param("limit")),
);
const selectRange = prepared<{ visitorId: string; from: number; to: number; limit: number }>()((db, param) =>
  selectNotes(db)
    .where("visitor_id", "=", param("visitorId"))
    .where("note_id", ">=", param("from"))
    .where("note_id", "<=", param("to"))
    .orderBy("note_id")
    .limit(param("limit")),
);

/** The sizes of a visitor's newest notes before one, newest first. */
export async function measureNotes(
  db: Db,
  visitorId: string,
  { before, limit }: { before: number; limit: number },
): Promise<{ noteId: number; bytes: number }[]> {
  return await selectLengths.rows(db, { visitorId, before, limit });
}

/** A visitor's notes between two, both included, oldest first; at most `limit`. */
export async function listNotes(
  db: Db,
  visitorId: string,
  range: { from: number; to: number; limit: number },
): Promise<NoteRow[]> {
  return await selectRange.rows(db, { visitorId, ...range });
}
