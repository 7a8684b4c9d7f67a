import type { Static } from "typebox";
import * as Type from "typebox";
import { BOUNDS } from "../limits.ts";
import { nullable, pageOf, pageQuery, time } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** The largest value of an integer column. */
const MAX_INTEGER = 2 ** 31 - 1;
/** The most tenants of a developer. */
const MAX_TENANTS = 200;

/** The id or username of a new entity. It is used in URLs, headers and conversation keys. */
const newId = (description?: string) =>
  Type.String({
    minLength: 1,
    maxLength: BOUNDS.idLength,
    pattern: "^[A-Za-z0-9_][A-Za-z0-9._@-]*$",
    description,
  });
/** The id or username of an existing entity. */
const id = (description?: string) => plainText({ minLength: 1, maxLength: BOUNDS.idLength, description });
/** A display name; not only blanks. */
const name = Type.String({ minLength: 1, maxLength: 100, pattern: "^(?=[^]*\\S)[^\\0\\p{Surrogate}]*$" });
const phone = Type.String({ minLength: 3, maxLength: 32, pattern: "^\\+?[0-9][0-9-]*$" });
const password = plainText({ minLength: 8, maxLength: 1_024 });

/** Query of the operators' lists. */
export const DirectoryQuerySchema = Type.Object({
  keyword: Type.Optional(plainText({ maxLength: 100, description: "Part of what names it, in whatever capitals" })),
  ...pageQuery,
});

/** An enterprise. */
export const TenantSchema = Type.Object({ tenantId: Type.String(), name: Type.String() });

/** Answer of `GET operator/tenants`, by tenantId. */
export const TenantListSchema = pageOf(TenantSchema);

/** Body of `POST operator/tenants`. */
export const CreateTenantBodySchema = Type.Object({ tenantId: Type.Optional(newId("Left out: a new one")), name });

/** Body of `PATCH operator/tenants/{tenantId}`. */
export const UpdateTenantBodySchema = Type.Object({ name });

const scimToken = { tokenId: Type.String(), name: Type.String(), createdAt: time() };

/** Body of `POST operator/tenants/{tenantId}/scim-tokens`. */
export const CreateScimTokenBodySchema = Type.Object({ name });

/** Its answer. */
export const CreatedScimTokenSchema = Type.Object({
  ...scimToken,
  token: Type.String({ description: "Shown this once" }),
});

/** Answer of `GET operator/tenants/{tenantId}/scim-tokens`, oldest first. */
export const ScimTokenListSchema = Type.Object({ items: Type.Array(Type.Object(scimToken)) });

/** A member, as operators see them. */
export const DirectoryMemberSchema = Type.Object({
  userId: Type.String(),
  username: Type.String(),
  name: Type.String(),
  phone: nullable(Type.String()),
  disabled: Type.Boolean(),
  erased: Type.Optional(Type.Literal(true, { description: "Once they have been erased: they stay disabled" })),
});
export type DirectoryMember = Static<typeof DirectoryMemberSchema>;

/** Answer of `GET operator/members`, by username. */
export const DirectoryMemberListSchema = pageOf(DirectoryMemberSchema);

/** Body of `POST operator/members`. Without a password the member cannot sign in. */
export const CreateMemberBodySchema = Type.Object({
  username: newId("Unique within the tenant"),
  name: Type.Optional(name),
  phone: Type.Optional(nullable(phone)),
  password: Type.Optional(password),
  userId: Type.Optional(newId("Unique on the platform; left out: a new one")),
});

/** Body of `PATCH operator/members/{userId}`. Missing members do not change; null removes the phone number. */
export const UpdateMemberBodySchema = Type.Object({
  name: Type.Optional(name),
  phone: Type.Optional(nullable(phone)),
  password: Type.Optional(password),
  disabled: Type.Optional(Type.Boolean()),
});
export type UpdateMemberBody = Static<typeof UpdateMemberBodySchema>;

/** The most members of one call of the import. */
export const MAX_IMPORTED = 100;

/**
 * What an import may find wrong with a line; `repeated`: an earlier line of the call has the same username, in whatever case;
 * `taken`: a member has it in another case.
 */
export const IMPORT_PROBLEMS = ["username", "name", "password", "phone", "repeated", "taken"] as const;
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number];

/** Body of `POST operator/members/import`. Values are judged line by line, so that a wrong one refuses only its own. */
export const ImportMembersBodySchema = Type.Object({
  members: Type.Array(
    Type.Object({
      line: Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description: "Names the line in the answer" }),
      username: Type.String(),
      name: Type.Optional(Type.String({ description: "Left out or empty: the username" })),
      password: Type.String(),
      phone: Type.Optional(Type.String({ description: "Left out or empty: none" })),
    }),
    { minItems: 1, maxItems: MAX_IMPORTED },
  ),
  dryRun: Type.Optional(Type.Boolean({ default: false, description: "Only says what would become of each line" })),
});
export type ImportMembersBody = Static<typeof ImportMembersBodySchema>;

/**
 * What becomes of a line: a new member; with `dryRun`, one that would be new; one that is there and stays as it is; or
 * nothing, as the line is wrong.
 */
export const IMPORT_OUTCOMES = ["CREATED", "READY", "EXISTS", "INVALID"] as const;

/** Answer of `POST operator/members/import`, in the order of the lines. */
export const ImportMembersSchema = Type.Object({
  items: Type.Array(
    Type.Object({
      line: Type.Integer(),
      outcome: Type.Enum([...IMPORT_OUTCOMES]),
      problem: nullable(Type.Enum([...IMPORT_PROBLEMS], { description: "What is wrong with an INVALID line" })),
      other: Type.Optional(
        Type.String({
          description: "The username of the member or the earlier line, where it differs in its case alone",
        }),
      ),
    }),
  ),
});
export type ImportedLine = Static<typeof ImportMembersSchema>["items"][number];

const group = { groupId: Type.String(), name: Type.String(), memberCount: Type.Integer() };

/** A group, as operators list it. */
export const GroupSchema = Type.Object(group);
export type Group = Static<typeof GroupSchema>;

/** Answer of `GET operator/groups`, by groupId. */
export const GroupListSchema = pageOf(GroupSchema);

/** A group with its members, by username. */
export const GroupDetailSchema = Type.Object({ ...group, members: Type.Array(DirectoryMemberSchema) });
export type GroupDetail = Static<typeof GroupDetailSchema>;

const members = Type.Array(id("username or userId"), { maxItems: BOUNDS.groupMembers });

/** Body of `POST operator/groups`. */
export const CreateGroupBodySchema = Type.Object({
  name,
  members: Type.Optional(members),
  groupId: Type.Optional(newId("Unique on the platform; left out: a new one")),
});

/** Body of `PATCH operator/groups/{groupId}`. */
export const UpdateGroupBodySchema = Type.Object({ name: Type.Optional(name) });

/** Body of `PUT operator/groups/{groupId}/members` with all members, and of `POST` with additional ones. */
export const GroupMembersBodySchema = Type.Object({ members });

/** A developer, as operators see them. */
export const DirectoryDeveloperSchema = Type.Object({
  developerId: Type.String(),
  phone: Type.String(),
  channelId: Type.Integer(),
  name: Type.String(),
  operator: Type.Boolean(),
  disabled: Type.Boolean(),
  secondFactor: Type.Boolean({ description: "Whether they sign in with a second factor" }),
  tenants: Type.Array(TenantSchema),
});
export type DirectoryDeveloper = Static<typeof DirectoryDeveloperSchema>;

/** Answer of `GET operator/developers`, by channel and phone number. */
export const DirectoryDeveloperListSchema = pageOf(DirectoryDeveloperSchema);

const tenants = Type.Array(id("tenantId"), { maxItems: MAX_TENANTS });

/** Body of `POST operator/developers`. A phone number is unique within its channel. */
export const CreateDeveloperBodySchema = Type.Object({
  phone,
  channelId: Type.Integer({ minimum: 0, maximum: MAX_INTEGER }),
  name,
  password,
  tenants: Type.Optional(tenants),
  operator: Type.Optional(Type.Boolean({ default: false })),
});

/**
 * Body of `PATCH operator/developers/{developerId}`. Missing members do not change; `tenants` replaces the whole list.
 */
export const UpdateDeveloperBodySchema = Type.Object({
  name: Type.Optional(name),
  password: Type.Optional(password),
  tenants: Type.Optional(tenants),
  operator: Type.Optional(Type.Boolean()),
  disabled: Type.Optional(Type.Boolean()),
});
export type UpdateDeveloperBody = Static<typeof UpdateDeveloperBodySchema>;

const auditId = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** Filter of an application's audit log. Both times are included. */
const auditFilter = {
  actorId: Type.Optional(id("developerId or userId")),
  action: Type.Optional(plainText({ minLength: 1, maxLength: BOUNDS.idLength, description: "For example app.create" })),
  from: Type.Optional(time()),
  to: Type.Optional(time()),
  before: Type.Optional(Type.Integer({ ...auditId, description: "nextBefore of the page before" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
};

/** Query of `GET apps/{appId}/audit`. */
export const AppAuditQuerySchema = Type.Object(auditFilter);
export type AuditQuery = Static<typeof AuditQuerySchema>;

/** Query of `GET operator/audit`. */
export const AuditQuerySchema = Type.Object({
  appId: Type.Optional(id()),
  tenantId: Type.Optional(id()),
  target: Type.Optional(
    plainText({ minLength: 1, maxLength: 2 * BOUNDS.idLength, description: "For example app:app_1" }),
  ),
  ...auditFilter,
});

/** An entry of the audit log. */
export const AuditEntrySchema = Type.Object({
  auditId: Type.Integer(),
  at: time(),
  actor: Type.Object({
    type: Type.Enum(["DEVELOPER", "MEMBER", "SYSTEM"], {
      description: "SYSTEM: no person, but what a provisioning file said",
    }),
    id: Type.String({ description: "developerId or userId; of SYSTEM, what did it" }),
    name: nullable(Type.String()),
  }),
  action: Type.String({ description: "For example app.create" }),
  target: Type.String({ description: "For example app:app_1" }),
  appId: nullable(Type.String()),
  tenantId: nullable(Type.String()),
  before: Type.Unknown({ description: "What changed, as it was; null where there was nothing" }),
  after: Type.Unknown({ description: "What changed, as it is; null where there is nothing any more" }),
  address: nullable(Type.String({ description: "Where the call came from; owners are not shown that of others" })),
});
export type AuditEntry = Static<typeof AuditEntrySchema>;

/** Answer of `GET operator/audit` and `GET apps/{appId}/audit`, newest first. */
export const AuditListSchema = Type.Object({
  items: Type.Array(AuditEntrySchema, {
    description: "May be fewer than asked for, or none, with older ones to follow: nextBefore alone tells",
  }),
  nextBefore: nullable(Type.Integer({ description: "`before` of the next page; null when there is none" })),
});
