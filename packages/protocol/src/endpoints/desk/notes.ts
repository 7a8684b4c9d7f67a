import {
  DeskNoteListSchema,
  DeskNoteSchema,
  DeskNotesQuerySchema,
  PostNoteBodySchema,
} from "../../schemas/desk-notes.ts";
import { STORING } from "../error-sets.ts";
import type { MemberEndpoint } from "../member-access.ts";
import { OF_A_SESSION } from "./errors.ts";

/** What agents write about a visitor for one another; the visitor never sees it. */
export const NOTE_ENDPOINTS = {
  listNotes: {
    method: "GET",
    path: "/api/desk/v1/apps/:appId/sessions/:sessionId/notes",
    summary: "Read the agents' notes about a session's visitor, a page at a time",
    access: "member",
    query: DeskNotesQuerySchema,
    value: DeskNoteListSchema,
    errors: [...OF_A_SESSION],
  },
  postNote: {
    method: "POST",
    path: "/api/desk/v1/apps/:appId/sessions/:sessionId/notes",
    summary: "Write a note in a session, which only agents see",
    access: "member",
    body: PostNoteBodySchema,
    value: DeskNoteSchema,
    errors: [...STORING, ...OF_A_SESSION],
  },
} as const satisfies Record<string, MemberEndpoint>;
