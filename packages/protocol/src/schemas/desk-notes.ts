import type { Static } from "typebox";
import * as Type from "typebox";
import { DESK_BOUNDS } from "../customer.ts";
import { LIMITS } from "../limits.ts";
import { nullable, pageLimit, time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** A note of an agent, for other agents only (docs/contract/customer-service.md#notes). */
export const DeskNoteSchema = Type.Object({
  noteId: Type.Integer(),
  visitorId: Type.String(),
  sessionId: Type.Integer({ description: "In which it was written" }),
  agentId: nullable(Type.String({ description: "The account of the agent who wrote it" })),
  agentName: nullable(Type.String()),
  text: Type.String(),
  clientNoteId: nullable(Type.String({ description: "That this agent wrote it with" })),
  createdAt: time(),
});
export type DeskNote = Static<typeof DeskNoteSchema>;

/** Query of `GET .../notes`: the newest notes, or those before one. */
export const DeskNotesQuerySchema = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Only notes with a smaller noteId" }),
  ),
  limit: pageLimit(),
});

/** `value` of `GET .../notes`: the notes of all of the visitor's sessions, oldest first. */
export const DeskNoteListSchema = Type.Object({ items: Type.Array(DeskNoteSchema) });

/** Body of `POST .../notes`. */
export const PostNoteBodySchema = Type.Object({
  text: plainText({ minLength: 1, maxLength: DESK_BOUNDS.noteLength, description: "Not blank" }),
  clientNoteId: Type.Optional(
    nullable(plainText({ minLength: 1, maxLength: LIMITS.clientMessageIdLength, description: "Idempotency key" })),
  ),
});
