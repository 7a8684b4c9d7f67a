import * as Type from "typebox";
import { VisitorSchema } from "./customer.ts";
import { exportCursor, pageOf, pageQuery } from "./parts.ts";
import { plainText } from "./plain-text.ts";

const MAX_KEYWORD_LENGTH = 64;

const status = Type.Integer({ minimum: 0, maximum: 1, description: "0: disabled" });

/** Query of `GET apps/{appId}/visitors`. */
export const ConsoleVisitorsQuerySchema = Type.Object({
  keyword: Type.Optional(
    plainText({ maxLength: MAX_KEYWORD_LENGTH, description: "Part of an id, the nickname, the phone or the email" }),
  ),
  status: Type.Optional(status),
  ...pageQuery,
});

/** Answer of `GET apps/{appId}/visitors`, newest first. */
export const ConsoleVisitorListSchema = pageOf(VisitorSchema);

/** Body of `PATCH apps/{appId}/visitors/{visitorId}`. */
export const UpdateVisitorBodySchema = Type.Object({ status });

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Answer of `POST apps/{appId}/visitors/{visitorId}/erase`: what this call has erased. */
export const VisitorErasureSchema = Type.Object({
  messages: count("Messages of both sides that say nothing now; they keep their numbers"),
  sessions: count("Sessions that have lost their subject and the words of their rating"),
  notes: count("Agents' notes that were removed"),
  files: count("The visitor's files that are removed with the next sweep"),
  deliveries: count("Events about the visitor that were removed, sent or due"),
  requests: count("Entries of the request log whose bodies were removed"),
  auditEntries: count("Entries of the audit log that no longer have what was changed"),
});
export type VisitorErasure = Type.Static<typeof VisitorErasureSchema>;

/** Body of `POST apps/{appId}/visitors/{visitorId}/export`. */
export const VisitorExportBodySchema = Type.Object({
  cursor: Type.Optional(exportCursor()),
});

/** Answer of `POST apps/{appId}/visitors/{visitorId}/export`: a page of what is stored about the visitor. */
export const VisitorExportSchema = Type.Object({
  items: Type.Array(
    Type.Object({
      kind: Type.Enum(["visitor", "session", "message", "note"]),
      record: Type.Record(Type.String(), Type.Unknown(), {
        description: "As it is stored; times in epoch milliseconds",
      }),
    }),
  ),
  nextCursor: Type.Union([Type.String(), Type.Null()], { description: "For the next page; null on the last" }),
});
export type VisitorExport = Type.Static<typeof VisitorExportSchema>;
