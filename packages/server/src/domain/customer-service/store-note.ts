import type { Db } from "../../platform/storage/schema.ts";
import type { Desk } from "./desk.ts";
import { findNote, findNoteByClientId, insertNote, type NewNote, type NoteRow } from "./note-store.ts";

/** Stores a note and tells the agents; a repeat with the same `clientNoteId` only finds the first one. */
export async function storeNote(tx: Db, desk: Desk, note: NewNote): Promise<NoteRow> {
  const { appId, agentUserId, clientNoteId } = note;
  const noteId = await insertNote(tx, note);
  const stored =
    noteId === null && clientNoteId !== null
      ? await findNoteByClientId(tx, { appId, agentUserId, clientNoteId })
      : await findNote(tx, appId, noteId ?? 0);
  if (stored === null) throw new Error("a note that is there cannot be read");
  if (noteId !== null) desk.noteStored(noteId);
  return stored;
}
