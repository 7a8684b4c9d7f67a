import type { Logger } from "pino";
import type { LoginThrottle } from "../domain/accounts/login-throttle.ts";
import type { MemberTokens } from "../domain/accounts/member-tokens.ts";
import type { OidcProviders } from "../domain/accounts/oidc/providers.ts";
import type { PasswordSignIn } from "../domain/accounts/password-sign-in.ts";
import type { PasswordHasher } from "../domain/accounts/passwords.ts";
import type { AppDirectory } from "../domain/applications/app-directory.ts";
import type { CredentialUses } from "../domain/applications/credential-uses.ts";
import type { DayLedger } from "../domain/applications/day-ledger.ts";
import type { Nonces } from "../domain/applications/nonces/nonce-store.ts";
import type { ConversationFeeds } from "../domain/conversations/live/conversation-feeds.ts";
import type { ShownMessages } from "../domain/conversations/shown/shown-messages.ts";
import type { DeskHub } from "../domain/customer-service/desk-hub.ts";
import type { PresenceTracker } from "../domain/customer-service/presence-tracker.ts";
import type { TemporaryFiles } from "../domain/files/temporary-files.ts";
import type { MasterKeyRotation } from "../domain/master-key/rotation.ts";
import type { MemberErasures } from "../domain/persons/member-erasures.ts";
import type { PictureFetcher } from "../domain/pictures/picture-fetcher.ts";
import type { Processes } from "../domain/processes/processes.ts";
import type { RecentCalls } from "../domain/requests/recent-calls.ts";
import type { RequestLog } from "../domain/requests/request-log.ts";
import type { RedeliveryJobs } from "../domain/webhooks/redelivery/redelivery-jobs.ts";
import type { Webhooks } from "../domain/webhooks/webhooks.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Clock } from "../platform/clock/clock.ts";
import type { ClockWitnesses } from "../platform/clock/clock-witnesses.ts";
import type { Config } from "../platform/config/config.ts";
import type { Coordination } from "../platform/coordination/coordination.ts";
import type { SecretBox } from "../platform/crypto/secret-box.ts";
import type { FreeSpace } from "../platform/disk/free-space.ts";
import type { BodiesInFlight } from "../platform/http/bodies-in-flight.ts";
import type { LargeAnswers } from "../platform/http/large-answers.ts";
import type { EventLoopTurns } from "../platform/limits/event-loop-turns.ts";
import type { OwnerBounds } from "../platform/limits/owner-bounds.ts";
import type { OwnerRates } from "../platform/limits/owner-rates.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Retirement } from "../platform/retirement.ts";
import type { Storage } from "../platform/storage/storage.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";

/**
 * All parts of the service, as one plain object; created once, in start.ts. What is below names those that it needs, as an
 * interface of its own, and is handed this object: only this folder knows the whole.
 */
export interface Context {
  config: Config;
  clock: Clock;
  clocks: ClockWitnesses;
  log: Logger;
  storage: Storage;
  coordination: Coordination;
  blobs: Blobs;
  temporaryFiles: TemporaryFiles;
  freeSpace: FreeSpace;
  ownerBounds: OwnerBounds;
  ownerRates: OwnerRates;
  bodies: BodiesInFlight;
  live: ConversationFeeds;
  memberTokens: MemberTokens;
  shown: ShownMessages;
  /** Schedules the work that stream clients request. */
  turns: EventLoopTurns;
  deskLive: DeskHub;
  presenceTracker: PresenceTracker;
  webhooks: Webhooks;
  /** Null while there is no image proxy. */
  pictures: PictureFetcher | null;
  redeliveryJobs: RedeliveryJobs;
  memberErasures: MemberErasures;
  dayLedger: DayLedger;
  nonces: Nonces;
  secretBox: SecretBox;
  passwords: PasswordHasher;
  loginThrottle: LoginThrottle;
  passwordSignIn: PasswordSignIn;
  oidc: OidcProviders;
  apps: AppDirectory;
  credentialUses: CredentialUses;
  requestLog: RequestLog;
  largeAnswers: LargeAnswers;
  metrics: Metrics;
  /** Null while traces are not exported. */
  tracing: Tracing | null;
  recentCalls: RecentCalls;
  processes: Processes;
  masterKeyRotation: MasterKeyRotation;
  retirement: Retirement;
}
