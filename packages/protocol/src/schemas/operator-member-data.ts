import type { Static } from "typebox";
import * as Type from "typebox";
import { exportCursor, nullable, time } from "./parts.ts";

/** Who somebody is to a provider with which they sign in. */
const identity = Type.Object({
  identityId: Type.String({ description: "Names it in the path" }),
  issuer: Type.String({ description: "The provider" }),
  subject: Type.String({ description: "Who they are to the provider" }),
  createdAt: time(),
});

/** Answer of `GET operator/tenants/{tenantId}/members/{userId}/identities` and of `GET me/identities`, oldest first. */
export const IdentityListSchema = Type.Object({ items: Type.Array(identity) });
export type LinkedIdentity = Static<typeof identity>;

/** What is stored about a member, in the order in which an export tells it. */
export const MEMBER_DATA_KINDS = [
  "member",
  "identity",
  "directory",
  "directoryGroup",
  "group",
  "login",
  "installation",
  "miniProgram",
  "agent",
  "read",
  "file",
  "message",
  "cardAction",
  "customerMessage",
  "note",
  "change",
] as const;
export type MemberDataKind = (typeof MEMBER_DATA_KINDS)[number];

/** Body of `POST operator/tenants/{tenantId}/members/{userId}/export`. */
export const MemberExportBodySchema = Type.Object({
  cursor: Type.Optional(exportCursor()),
});

/** Its answer: a page of what is stored about the member. It may be empty, and have a next page. */
export const MemberExportSchema = Type.Object({
  items: Type.Array(
    Type.Object({
      kind: Type.Enum([...MEMBER_DATA_KINDS]),
      record: Type.Record(Type.String(), Type.Unknown(), {
        description: "As it is stored; times in epoch milliseconds",
      }),
    }),
  ),
  nextCursor: Type.Union([Type.String(), Type.Null()], { description: "For the next page; null on the last" }),
});
export type MemberExport = Static<typeof MemberExportSchema>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const erased = Type.Object({
  messages: count("Messages that say nothing now: the member's, and all of their conversations with bots"),
  mentions: count("Messages of others that have lost the member's name where they mention them; their words stay"),
  files: count("The member's files that are removed with the next sweep"),
  cardActions: count("Actions on cards that were removed"),
  customerMessages: count("Messages to visitors that no longer name the agent; their words stay"),
  deliveries: count("Events about the member that were removed, sent or due"),
  requests: count("Entries of the request log whose bodies were removed"),
  auditEntries: count("Entries of the audit log that no longer have what was changed"),
});
/** What an erasure has erased so far. */
export type ErasedOfMember = Static<typeof erased>;

/**
 * Answer of `POST operator/tenants/{tenantId}/members/{userId}/erase` and of `GET …/erasure`: the member is shut out from
 * the first answer on; what they have left is removed in the background.
 */
export const MemberErasureSchema = Type.Object({
  userId: Type.String({ description: "Stays, so that the conversations of others hold together" }),
  state: Type.Enum(["RUNNING", "DONE"]),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: "In percent" }),
  startedAt: time(),
  finishedAt: nullable(time()),
  erased,
});
export type MemberErasure = Static<typeof MemberErasureSchema>;
