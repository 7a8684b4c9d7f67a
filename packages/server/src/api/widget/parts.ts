import type { AppDirectory } from "../../domain/applications/app-directory.ts";
import type { DeskParts } from "../../domain/customer-service/at-desk.ts";
import type { AttachmentParts } from "../../domain/files/attachment.ts";
import type { CountedUploadParts } from "../../domain/files/counted-upload.ts";
import type { Config } from "../../platform/config/config.ts";
import type { CustomerStreamParts } from "../common/customer-stream-session.ts";
import type { RouteParts, SlicedParts } from "../common/parts.ts";
import type { ResultApiParts } from "../common/result-route.ts";

/** To tell from which sites a page may call. */
export interface OriginParts extends RouteParts {
  config: Config;
}

/** To let a visitor in. */
export interface VisitorParts extends OriginParts {
  apps: AppDirectory;
}

/** To talk to the agents. */
export interface VisitorTalkParts extends DeskParts, AttachmentParts {}

/** What the visitors' API needs. */
export interface WidgetContext
  extends ResultApiParts,
    VisitorParts,
    VisitorTalkParts,
    SlicedParts,
    CountedUploadParts {}

/** What visitors' streams need. */
export interface VisitorStreamParts extends CustomerStreamParts, VisitorParts {}
