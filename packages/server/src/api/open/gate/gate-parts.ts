import type { AppDirectory } from "../../../domain/applications/app-directory.ts";
import type { CredentialUses } from "../../../domain/applications/credential-uses.ts";
import type { DayLedger } from "../../../domain/applications/day-ledger.ts";
import type { Nonces } from "../../../domain/applications/nonces/nonce-store.ts";
import type { TemporaryFiles } from "../../../domain/files/temporary-files.ts";
import type { Blobs } from "../../../platform/blobs/blobs.ts";
import type { Clock } from "../../../platform/clock/clock.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { Coordination } from "../../../platform/coordination/coordination.ts";
import type { FreeSpace } from "../../../platform/disk/free-space.ts";
import type { BodiesInFlight } from "../../../platform/http/bodies-in-flight.ts";
import type { OwnerBounds } from "../../../platform/limits/owner-bounds.ts";
import type { SlicedParts } from "../../common/parts.ts";

/** To tell who calls, and to receive the body. */
export interface AuthenticationParts {
  clock: Clock;
  config: Config;
  apps: AppDirectory;
  credentialUses: CredentialUses;
  bodies: BodiesInFlight;
  temporaryFiles: TemporaryFiles;
  freeSpace: FreeSpace;
}

/** To count a call in its application's quotas. */
export interface QuotaEntryParts {
  clock: Clock;
  coordination: Coordination;
  dayLedger: DayLedger;
  freeSpace: FreeSpace;
  ownerBounds: OwnerBounds;
}

/** What it takes to receive applications' calls. */
export interface GateParts extends AuthenticationParts, QuotaEntryParts, SlicedParts {
  nonces: Nonces;
  blobs: Blobs;
}
