import type { Logger } from "pino";
import type { AppDirectory } from "./applications/app-directory.ts";
import type { CredentialUses } from "./applications/credential-uses.ts";
import type { DayLedger } from "./applications/day-usage.ts";
import type { Blobs } from "./blobs/blobs.ts";
import type { Clock } from "./clock.ts";
import type { ClockWitnesses } from "./clock-witnesses.ts";
import type { Config } from "./config/config.ts";
import type { Coordination } from "./coordination/coordination.ts";
import type { DeskHub } from "./customer/desk-hub.ts";
import type { SignsOfLife } from "./customer/signs-of-life.ts";
import type { RedeliveryJobs } from "./events/redelivery-jobs.ts";
import type { Webhooks } from "./events/webhooks.ts";
import type { TemporaryFiles } from "./files/temporary-files.ts";
import type { Nonces } from "./gate/nonce-store.ts";
import type { BodiesInFlight } from "./http/bodies-in-flight.ts";
import type { LargeAnswers } from "./http/large-answers.ts";
import type { Feeds } from "./messenger/stream/feeds.ts";
import type { Metrics } from "./metrics.ts";
import type { OnePerTurn } from "./one-per-turn.ts";
import type { RequestLog } from "./requests/request-log.ts";
import type { Retirement } from "./retirement.ts";
import type { SecretBox } from "./secret-box.ts";
import type { PasswordSignIn } from "./sign-in/password-sign-in.ts";
import type { PasswordHasher } from "./sign-in/passwords.ts";
import type { Storage } from "./storage/storage.ts";

/** Everything a handler may need, as one plain object; built once in start.ts. */
export interface Context {
  config: Config;
  clock: Clock;
  clocks: ClockWitnesses;
  log: Logger;
  storage: Storage;
  coordination: Coordination;
  blobs: Blobs;
  temporaryFiles: TemporaryFiles;
  bodies: BodiesInFlight;
  live: Feeds;
  /** In which what clients of streams ask for is done. */
  turns: OnePerTurn;
  deskLive: DeskHub;
  signsOfLife: SignsOfLife;
  webhooks: Webhooks;
  redeliveryJobs: RedeliveryJobs;
  dayLedger: DayLedger;
  nonces: Nonces;
  secretBox: SecretBox;
  passwords: PasswordHasher;
  passwordSignIn: PasswordSignIn;
  apps: AppDirectory;
  credentialUses: CredentialUses;
  requestLog: RequestLog;
  largeAnswers: LargeAnswers;
  metrics: Metrics;
  retirement: Retirement;
}
