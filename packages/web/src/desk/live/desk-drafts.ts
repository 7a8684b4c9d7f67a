import { Drafts } from "../../shared/talk/live/drafts.ts";
import type { Mode } from "../composer/mode-switch.tsx";
import { NoteDrafts, type SaveNote } from "./note-drafts.ts";

/** What an agent has written for a visitor and not sent, and to whom they were writing. */
export interface DeskDraft {
  text: string;
  mode: Mode;
  files: readonly File[];
}

/** What an agent has written and attached, by visitor, as long as it is neither sent nor saved. */
export class DeskDrafts {
  readonly replies = new Drafts<DeskDraft>(
    { text: "", mode: "reply", files: [] },
    ({ text, mode, files }) => text.trim() === "" && mode === "reply" && files.length === 0,
  );
  readonly notes: NoteDrafts;

  constructor(saveNote: SaveNote) {
    this.notes = new NoteDrafts(saveNote);
  }

  /** Whether there is anything that would be lost with the page. */
  get hasUnsent(): boolean {
    return this.replies.hasUnsent || this.notes.hasWaiting;
  }
}
