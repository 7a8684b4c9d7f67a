import type { DeskNote, Member } from "@portico/protocol";
import type { NoteRow } from "../../../domain/customer-service/note-store.ts";

/** The note as an agent sees it, with the clientNoteId if the agent wrote it. */
export function toDeskNote(row: NoteRow, { userId }: Pick<Member, "userId">): DeskNote {
  const { agentUserId, clientNoteId, ...shown } = row;
  return { ...shown, clientNoteId: agentUserId === userId ? clientNoteId : null };
}
