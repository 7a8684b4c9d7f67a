import type { MemberTokens } from "../../domain/accounts/member-tokens.ts";
import type { AppDirectory } from "../../domain/applications/app-directory.ts";
import type { DeskParts } from "../../domain/customer-service/at-desk.ts";
import type { AttachmentParts } from "../../domain/files/attachment.ts";
import type { CustomerStreamParts } from "../common/customer-stream-session.ts";
import type { ClientApiParts } from "../common/member-route.ts";
import type { LiveParts, SlicedParts } from "../common/parts.ts";

/** To tell who is an agent of what. */
export interface AgentParts {
  apps: AppDirectory;
}

/** To read sessions and messages. */
export interface DeskReadParts extends AgentParts, SlicedParts {}

/** To change sessions. */
export interface DeskWorkParts extends AgentParts, DeskParts {}

/** What the agents' API needs. */
export interface DeskContext extends ClientApiParts, DeskReadParts, DeskWorkParts, AttachmentParts {}

/** What agents' streams need. */
export interface AgentStreamParts extends CustomerStreamParts, LiveParts {
  memberTokens: MemberTokens;
}
