import type { Static } from "typebox";
import * as Type from "typebox";
import { BOUNDS } from "../limits.ts";
import { TARGET_TYPES } from "../message-types.ts";
import { InstallationSchema, InstallationsQuerySchema } from "./bot.ts";
import { pageOf, pageQuery } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** The most members in one answer; a keyword finds others. */
const MAX_LISTED_MEMBERS = 1_000;

/** A member's username, not the phone number or the name (docs/contract/console.md#installations). */
const username = plainText({
  minLength: 1,
  maxLength: BOUNDS.idLength,
  description: "Account of a member of the tenant",
});

/** Body of `POST apps/{appId}/bot-installations` and `POST apps/{appId}/agents`. */
export const MemberAccountBodySchema = Type.Object({ username });

/** Query of `GET apps/{appId}/bot-installations`. */
export const ConsoleInstallationsQuerySchema = Type.Object({ ...InstallationsQuerySchema.properties, ...pageQuery });

/** Answer of `GET apps/{appId}/bot-installations`, in the order of installation. */
export const ConsoleInstallationListSchema = pageOf(InstallationSchema);

/** Body or query of `DELETE apps/{appId}/bot-installations`: a member's username, or a target. */
export const UninstallSchema = Type.Object({
  username: Type.Optional(username),
  targetType: Type.Optional(Type.Enum([...TARGET_TYPES])),
  targetId: Type.Optional(plainText({ minLength: 1, maxLength: BOUNDS.idLength })),
});
export type Uninstall = Static<typeof UninstallSchema>;

/** Query of `GET apps/{appId}/bot-installation-members`. */
export const InstallableMembersQuerySchema = Type.Object({
  keyword: Type.Optional(
    plainText({ maxLength: BOUNDS.idLength, description: "Part of the account or the name, in any case" }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LISTED_MEMBERS, default: MAX_LISTED_MEMBERS })),
});

/**
 * Answer of `GET apps/{appId}/bot-installation-members`: the members for whom the bot can be installed, by username.
 */
export const InstallableMembersSchema = Type.Array(Type.Object({ username: Type.String(), name: Type.String() }));

/** An agent of a CUSTOMER_SERVICE application. */
export const AgentSchema = Type.Object({
  agentId: Type.String({ description: "The member's account" }),
  name: Type.String(),
  maxSessions: Type.Integer({ description: "How many sessions at a time they are given of themselves" }),
});
export type Agent = Static<typeof AgentSchema>;

/** Body of `PATCH apps/{appId}/agents/{username}`. */
export const UpdateAgentBodySchema = Type.Object({ maxSessions: Type.Integer({ minimum: 1, maximum: 1_000 }) });

/** Answer of `GET apps/{appId}/agents`, by username. */
export const AgentListSchema = Type.Array(AgentSchema);
