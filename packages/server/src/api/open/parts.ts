import type { CardParts } from "../../domain/cards/accept-card.ts";
import type { DeskParts } from "../../domain/customer-service/at-desk.ts";
import type { AttachmentParts } from "../../domain/files/attachment.ts";
import type { UploadParts } from "../../domain/files/keep-upload.ts";
import type { LiveParts } from "../common/parts.ts";
import type { GateParts } from "./gate/gate-parts.ts";

/** To send a bot's messages, and to update its cards. */
export interface SendParts extends LiveParts, CardParts, AttachmentParts {}

/** To send messages in sessions of customer service. */
export interface SessionMessageParts extends DeskParts, AttachmentParts {}

/** What the applications' API needs. */
export interface OpenContext extends GateParts, SendParts, UploadParts, SessionMessageParts {}
