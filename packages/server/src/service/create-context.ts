import { join } from "node:path";
import { LoginThrottle } from "../domain/accounts/login-throttle.ts";
import { MemberTokens } from "../domain/accounts/member-tokens.ts";
import { openOidcProviders } from "../domain/accounts/oidc/providers.ts";
import { PasswordSignIn } from "../domain/accounts/password-sign-in.ts";
import { PasswordHasher } from "../domain/accounts/passwords.ts";
import { AppDirectory } from "../domain/applications/app-directory.ts";
import { CredentialUses } from "../domain/applications/credential-uses.ts";
import { openNonces } from "../domain/applications/nonces/nonce-store.ts";
import { openDayLedger } from "../domain/applications/open-day-ledger.ts";
import { ConversationFeeds } from "../domain/conversations/live/conversation-feeds.ts";
import { ShownMessages } from "../domain/conversations/shown/shown-messages.ts";
import { DeskHub } from "../domain/customer-service/desk-hub.ts";
import { PresenceTracker } from "../domain/customer-service/presence-tracker.ts";
import { TemporaryFiles } from "../domain/files/temporary-files.ts";
import { MasterKeyRotation, QUIET_MS } from "../domain/master-key/rotation.ts";
import { settleMsOf } from "../domain/master-key/settle.ts";
import { MemberErasures } from "../domain/persons/member-erasures.ts";
import { PictureFetcher } from "../domain/pictures/picture-fetcher.ts";
import { Processes } from "../domain/processes/processes.ts";
import { RecentCalls } from "../domain/requests/recent-calls.ts";
import { RequestLog } from "../domain/requests/request-log.ts";
import { DueClock } from "../domain/webhooks/due-clock.ts";
import { RedeliveryJobs } from "../domain/webhooks/redelivery/redelivery-jobs.ts";
import { Webhooks } from "../domain/webhooks/webhooks.ts";
import { ClockWitnesses } from "../platform/clock/clock-witnesses.ts";
import type { Config } from "../platform/config/config.ts";
import { openCoordination } from "../platform/coordination/open-coordination.ts";
import { loadMasterKeys, openSecretBox } from "../platform/crypto/master-key.ts";
import { FreeSpace } from "../platform/disk/free-space.ts";
import { BodiesInFlight } from "../platform/http/bodies-in-flight.ts";
import { LargeAnswers } from "../platform/http/large-answers.ts";
import { EventLoopTurns } from "../platform/limits/event-loop-turns.ts";
import { OwnerBounds } from "../platform/limits/owner-bounds.ts";
import { OwnerRates } from "../platform/limits/owner-rates.ts";
import { RateLimiter } from "../platform/limits/rate-limiter.ts";
import type { Metrics } from "../platform/metrics.ts";
import { addProcessGauges } from "../platform/process-gauges.ts";
import { Retirement } from "../platform/retirement.ts";
import type { Storage } from "../platform/storage/storage.ts";
import { addGauges } from "./add-gauges.ts";
import type { Context } from "./context.ts";
import { openBlobs } from "./open-blobs.ts";
import type { StartParts } from "./start-parts.ts";

/** Opens the parts of the service; they are closed with `opened`. */
export async function createContext(
  config: Config,
  { clock, log, network = {}, databaseNow, probe, hashCost, tracing = null }: StartParts,
  storage: Storage,
  metrics: Metrics,
  opened: AsyncDisposableStack,
): Promise<Context> {
  opened.use(addProcessGauges(metrics, storage.dialect));
  const blobs = opened.adopt(await openBlobs(config), (open) => open.close());
  // Must come before any write: on a full disk, space may have to be freed first.
  const freeSpace = opened.adopt(await FreeSpace.open({ config, storage, log, probe }), (open) => open.close());
  const clocks = await ClockWitnesses.recall({ storage, clock, databaseNow: databaseNow ?? storage.now });
  const masterKeys = await loadMasterKeys(config, storage);
  const secretBox = await openSecretBox(masterKeys, storage);
  const coordination = await openCoordination(config, storage, clock, log);
  opened.adopt(coordination, (open) => open.close());
  const dueClock = await DueClock.open({ clock, databaseNow: databaseNow ?? storage.now });
  const webhooks = new Webhooks({
    ...{ storage, coordination, secretBox, clock, dueClock, config, metrics, tracing, log, network },
  });
  opened.adopt(webhooks, (open) => open.close());
  const pictures = config.web.imageProxy ? new PictureFetcher(config, network) : null;
  const redeliveryJobs = new RedeliveryJobs({ storage, clock: dueClock, log, due: (appId) => webhooks.due(appId) });
  opened.adopt(redeliveryJobs, (open) => open.close());
  const live = opened.adopt(new ConversationFeeds(storage, coordination, log), (open) => open.close());
  const shown = new ShownMessages(clock);
  const memberTokens = new MemberTokens(storage.db, clock, () => shown.namesChanged());
  // Before the streams, which then look their members up again.
  live.onSignOut((userId) => memberTokens.forget(userId));
  const deskLive = new DeskHub(coordination);
  const memberErasures = new MemberErasures({ storage, clock, log, webhooks, deskLive, live });
  opened.adopt(memberErasures, (open) => open.close());
  const passwords = opened.adopt(new PasswordHasher({ cost: hashCost }), (open) => open.close());
  const loginThrottle = new LoginThrottle(coordination.signIns);
  const ledgerErrors = new RateLimiter(1);
  const onLedgerError = (error: unknown) => {
    if (ledgerErrors.pass(clock.now())) log.warn({ err: error }, "the day counters could not be written");
  };
  const onUsesError = (error: unknown) => log.warn({ err: error }, "when credentials were used could not be written");
  const recentCalls = new RecentCalls();
  const ownerRates = new OwnerRates(config.limits);
  const retirement = new Retirement();
  const masterKeyRotation = opened.adopt(
    new MasterKeyRotation({
      ...{ storage, secretBox, masterKeys, dueClock, log, retirement },
      places: config,
      isAlone: config.distributed === null,
      settleMs: settleMsOf(config),
      quietMs: QUIET_MS,
    }),
    (open) => open.close(),
  );
  const knownKeys = () => masterKeyRotation.knownKeys();
  const processes = opened.adopt(
    new Processes({ storage, clock, dueClock, config, log, recentCalls, knownKeys }),
    (open) => open.close(),
  );
  masterKeyRotation.onChange(() => processes.tell());
  const context: Context = {
    config,
    clock,
    clocks,
    log,
    storage,
    coordination,
    blobs,
    freeSpace,
    ownerBounds: new OwnerBounds(config.limits, clock),
    ownerRates,
    temporaryFiles: opened.adopt(
      new TemporaryFiles(join(config.dataDir, "tmp"), clock, ownerRates, freeSpace),
      (files) => files.stop(),
    ),
    bodies: opened.adopt(
      new BodiesInFlight({ mostBytes: config.limits.bodyBytes, withinMs: config.limits.bodyTimeoutMs }),
      (open) => open.close(),
    ),
    live,
    memberTokens,
    shown,
    turns: new EventLoopTurns(),
    deskLive,
    presenceTracker: opened.adopt(new PresenceTracker({ storage, clock, log, webhooks, deskLive }), (open) =>
      open.close(),
    ),
    nonces: await openNonces(storage, config.limits, clocks.passed(config.limits.nonceTtlMs)),
    secretBox,
    dayLedger: opened.adopt(openDayLedger(storage, coordination, onLedgerError), (open) => open.close()),
    passwords,
    loginThrottle,
    passwordSignIn: new PasswordSignIn({ throttle: loginThrottle, passwords, clock }),
    oidc: openOidcProviders(config, network, clock),
    apps: new AppDirectory(storage.db, secretBox, clock, config, () => shown.namesChanged()),
    credentialUses: opened.adopt(new CredentialUses(storage, onUsesError), (open) => open.close()),
    requestLog: opened.adopt(new RequestLog(storage, log, freeSpace), (open) => open.close()),
    largeAnswers: new LargeAnswers(),
    webhooks,
    pictures,
    redeliveryJobs,
    memberErasures,
    metrics,
    tracing,
    recentCalls,
    processes,
    masterKeyRotation,
    retirement,
  };
  addGauges(context);
  return context;
}
