import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PAGES_FOLDER } from "@portico/web/pages";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { HashCost } from "../domain/accounts/hash-thread.ts";
import { LoginThrottle } from "../domain/accounts/login-throttle.ts";
import { PasswordSignIn } from "../domain/accounts/password-sign-in.ts";
import { PasswordHasher } from "../domain/accounts/passwords.ts";
import { AppDirectory } from "../domain/applications/app-directory.ts";
import { CredentialUses } from "../domain/applications/credential-uses.ts";
import { DayLedger } from "../domain/applications/day-usage.ts";
import { openNonces } from "../domain/applications/nonces/nonce-store.ts";
import { ConversationFeeds } from "../domain/conversations/live/conversation-feeds.ts";
import { DeskHub } from "../domain/customer-service/desk-hub.ts";
import { PresenceSweep } from "../domain/customer-service/presence-sweep.ts";
import { PresenceTracker } from "../domain/customer-service/presence-tracker.ts";
import { TemporaryFiles } from "../domain/files/temporary-files.ts";
import { PictureFetcher } from "../domain/pictures/picture-fetcher.ts";
import { applyProvisioning } from "../domain/provisioning/apply.ts";
import { demoWorld } from "../domain/provisioning/demo.ts";
import { logReport } from "../domain/provisioning/log-report.ts";
import { readProvisioningFile } from "../domain/provisioning/read-file.ts";
import { RequestLog } from "../domain/requests/request-log.ts";
import { DueClock } from "../domain/webhooks/due-clock.ts";
import { RedeliveryJobs } from "../domain/webhooks/redelivery/redelivery-jobs.ts";
import { type Network, Webhooks } from "../domain/webhooks/webhooks.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { openDiskBlobs } from "../platform/blobs/disk.ts";
import { openS3Blobs } from "../platform/blobs/s3.ts";
import type { Clock } from "../platform/clock/clock.ts";
import { ClockWitnesses } from "../platform/clock/clock-witnesses.ts";
import type { Config } from "../platform/config/config.ts";
import { ConfigError } from "../platform/config/config-error.ts";
import { openCoordination } from "../platform/coordination/open-coordination.ts";
import { loadMasterKey, openSecretBox } from "../platform/crypto/master-key.ts";
import { FreeSpace, makeRoomToOpen, type Probe } from "../platform/disk/free-space.ts";
import { openDataDir, restrictBelow } from "../platform/disk/private-files.ts";
import { BodiesInFlight } from "../platform/http/bodies-in-flight.ts";
import { LargeAnswers } from "../platform/http/large-answers.ts";
import { Serializers } from "../platform/http/serializers.ts";
import { EventLoopTurns } from "../platform/limits/event-loop-turns.ts";
import { OwnerBounds } from "../platform/limits/owner-bounds.ts";
import { OwnerRates } from "../platform/limits/owner-rates.ts";
import { createMetrics } from "../platform/metrics.ts";
import { Retirement } from "../platform/retirement.ts";
import { openStorage } from "../platform/storage/open-storage.ts";
import type { PostgresDeadlines } from "../platform/storage/postgres/postgres-deadlines.ts";
import { SchemaWatch } from "../platform/storage/schema-watch.ts";
import { lockDataDir } from "../platform/storage/sqlite/instance-lock.ts";
import type { Syncing } from "../platform/storage/sqlite/write-ahead-log.ts";
import type { ObserveSql, Storage } from "../platform/storage/storage.ts";
import type { StorageParts } from "../platform/storage/storage-parts.ts";
import type { Context } from "./context.ts";
import { createServer } from "./http-server.ts";
import { Maintenance } from "./maintenance.ts";

/** A running service. */
export interface Portico {
  /** Where it listens, for example `http://127.0.0.1:8080`. */
  url: string;
  ctx: Context;
  /** Stops accepting requests, finishes those in flight, and closes all resources. */
  stop(): Promise<void>;
}

/** Dependencies of the service that tests replace. */
export interface StartParts {
  clock: Clock;
  log: Logger;
  /** The network for webhook callbacks; default: the machine's. */
  network?: Network;
  /** Syncs the log of the embedded database; default: the system's fdatasync. */
  syncing?: Syncing;
  /** Measures the free disk space; default: asks the system. */
  probe?: Probe;
  /**
   * Called when the disk has failed, so that the process must end without a stop. Calls in flight have failed or are
   * about to.
   */
  onFatal?: (error: unknown) => void;
  /** Timeouts for PostgreSQL; default: those for production. */
  deadlines?: PostgresDeadlines;
  /** The database's clock, in epoch milliseconds; default: that of the database, if it has its own. */
  databaseNow?: () => Promise<number | null>;
  /** Called with each statement sent to the database. */
  observeSql?: ObserveSql;
  /** The cost of password hashes; default: the secure one. */
  hashCost?: HashCost;
  /** The folder with the built pages; default: the output folder of `npm run build`. */
  pages?: URL;
  /** Compiled answer schemas, for tests that start the service many times in a process. */
  serializers?: Serializers;
}

/**
 * Starts the service: data directory, database, coordination, provisioning, HTTP. When a step fails, the resources
 * opened before are closed.
 *
 * @throws ConfigError, ProvisioningError with a message for the operator.
 */
export async function startPortico(config: Config, parts: StartParts): Promise<Portico> {
  await using opened = new AsyncDisposableStack();
  await openDataDir(config.dataDir, parts.log);
  if (config.distributed === null) opened.adopt(lockDataDir(config.dataDir), (lock) => lock.release());
  await makeRoomToOpen({ config, log: parts.log, probe: parts.probe });
  const storage = opened.adopt(await openStorage(config, storageParts(parts), parts.deadlines), (open) => open.close());
  const ctx = await createContext(config, parts, storage, opened);

  const maintenance = opened.adopt(new Maintenance(ctx), (open) => open.close());
  const presenceSweep = opened.adopt(new PresenceSweep(ctx), (open) => open.close());
  await provision(ctx);
  // Must come before new work can be claimed.
  if (config.distributed === null) await ctx.webhooks.takeOver();
  const server = opened.adopt(
    await createServer(ctx, parts.serializers ?? new Serializers(), parts.pages ?? PAGES_FOLDER),
    closeServer,
  );
  const url = await listen(server, config);
  void maintenance.run();
  opened.use(restrictingBelow(config.dataDir, parts.log));
  ctx.redeliveryJobs.start();
  ctx.webhooks.start();
  stopWorkOnRetirement(ctx, [maintenance, presenceSweep, ctx.redeliveryJobs, ctx.webhooks]);
  opened.adopt(watchSchema(ctx), (open) => open?.close());

  const running = opened.move();
  const stop = () => {
    storage.hurry();
    return running.disposeAsync();
  };
  return { url, ctx, stop };
}

/** On retirement, stops claiming work and releases the claimed work. */
function stopWorkOnRetirement({ retirement, log }: Context, workers: { close(): Promise<void> }[]): void {
  retirement.onBegin(() => {
    for (const worker of workers) {
      worker.close().catch((error: unknown) => log.warn({ err: error }, "work could not be given up in order"));
    }
  });
}

/** Not needed for an embedded service, whose database nobody else migrates. */
function watchSchema({ config, storage, log, retirement }: Context): SchemaWatch | null {
  if (config.distributed === null) return null;
  return new SchemaWatch(storage, log, (migrations) => {
    const reason = `a newer version of Portico has migrated the database (${migrations.join(", ")})`;
    log.fatal(`${reason}: this process takes no more work, and ends; start that version`);
    retirement.begin(reason);
  });
}

function storageParts({ log, syncing, onFatal, observeSql }: StartParts): StorageParts {
  const onFailure = (error: unknown) => {
    log.fatal({ err: error }, "the disk failed a sync; what was not acknowledged may be lost, and the service ends");
    onFatal?.(error);
  };
  return { log, syncing, onFailure, observeSql };
}

async function createContext(
  config: Config,
  { clock, log, network = {}, databaseNow, probe, hashCost }: StartParts,
  storage: Storage,
  opened: AsyncDisposableStack,
): Promise<Context> {
  const blobs = opened.adopt(await openBlobs(config), (open) => open.close());
  // Must come before any write: on a full disk, space may have to be freed first.
  const freeSpace = opened.adopt(await FreeSpace.open({ config, storage, log, probe }), (open) => open.close());
  const clocks = await ClockWitnesses.recall({ storage, clock, databaseNow: databaseNow ?? storage.now });
  const secretBox = await openSecretBox(await loadMasterKey(config), storage);
  const coordination = await openCoordination(config, storage, clock, log);
  opened.adopt(coordination, (open) => open.close());
  const metrics = createMetrics();
  const freeHelp = "Bytes free in the file system of the data directory";
  metrics.addGauge("portico_disk_free_bytes", freeHelp, async () => freeSpace.free);
  const dueClock = await DueClock.open({ clock, databaseNow: databaseNow ?? storage.now });
  const webhooks = new Webhooks({ storage, coordination, secretBox, clock, dueClock, config, metrics, log, network });
  opened.adopt(webhooks, (open) => open.close());
  const pictures = config.web.imageProxy ? new PictureFetcher(config, network) : null;
  const redeliveryJobs = new RedeliveryJobs({ storage, clock: dueClock, log, due: (appId) => webhooks.due(appId) });
  opened.adopt(redeliveryJobs, (open) => open.close());
  const deskLive = new DeskHub(coordination);
  const passwords = opened.adopt(new PasswordHasher({ cost: hashCost }), (open) => open.close());
  const onLedgerError = (error: unknown) => log.warn({ err: error }, "the day counters could not be written");
  const onUsesError = (error: unknown) => log.warn({ err: error }, "when credentials were used could not be written");
  const ownerRates = new OwnerRates(config.limits);
  return {
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
    temporaryFiles: opened.adopt(new TemporaryFiles(join(config.dataDir, "tmp"), clock, ownerRates), (files) =>
      files.stop(),
    ),
    bodies: opened.adopt(
      new BodiesInFlight({ mostBytes: config.limits.bodyBytes, withinMs: config.limits.bodyTimeoutMs }),
      (open) => open.close(),
    ),
    live: opened.adopt(new ConversationFeeds(storage, coordination, log), (open) => open.close()),
    turns: new EventLoopTurns(),
    deskLive,
    presenceTracker: opened.adopt(new PresenceTracker({ storage, clock, log, webhooks, deskLive }), (open) =>
      open.close(),
    ),
    nonces: await openNonces(storage, config.limits, clocks.passed(config.limits.nonceTtlMs)),
    secretBox,
    dayLedger: opened.adopt(new DayLedger(storage, onLedgerError), (open) => open.close()),
    passwords,
    passwordSignIn: new PasswordSignIn({ throttle: new LoginThrottle(coordination.signIns), passwords, clock }),
    apps: new AppDirectory(storage.db, secretBox, clock, config),
    credentialUses: opened.adopt(new CredentialUses(storage, onUsesError), (open) => open.close()),
    requestLog: opened.adopt(new RequestLog(storage, log, freeSpace), (open) => open.close()),
    largeAnswers: new LargeAnswers(),
    webhooks,
    pictures,
    redeliveryJobs,
    metrics,
    retirement: new Retirement(),
  };
}

async function openBlobs({ blobs, dataDir }: Config): Promise<Blobs> {
  if (blobs.kind === "disk") return openDiskBlobs(join(dataDir, "blobs"));
  const store = await openS3Blobs(blobs);
  try {
    await store.ping();
    return store;
  } catch (error) {
    await store.close();
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `the bucket ${blobs.bucket} cannot be used (${why}): see PORTICO_BLOBS_* in docs/configuration.md`,
    );
  }
}

async function provision(ctx: Context): Promise<void> {
  const { config, storage, log } = ctx;
  if (config.provision !== null) {
    logReport(await applyProvisioning(ctx, readProvisioningFile(config.provision)), log);
  } else if (config.distributed === null && config.environment !== "production" && (await isEmpty(storage))) {
    await applyProvisioning(ctx, await demoWorld(config.dataDir, config.baseUrl ?? `http://localhost:${config.port}`));
  }
}

async function isEmpty(storage: Storage): Promise<boolean> {
  const any = storage.db.selectFrom("tenants").select("tenant_id").where("tenant_id", ">", "").limit(1);
  return (await any.executeTakeFirst()) === undefined;
}

/**
 * Restricts the permissions of existing files in the data directory, in the background; ends when the service stops.
 */
function restrictingBelow(directory: string, log: Logger): AsyncDisposable {
  const stop = new AbortController();
  const restricting = restrictBelow(directory, log, stop.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await restricting;
    },
  };
}

/** The time that requests in flight have to finish after a stop begins. */
const FINISH_WITHIN_MS = 5_000;

async function closeServer(server: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), FINISH_WITHIN_MS);
  await server.close();
  clearTimeout(timer);
}

async function listen(server: FastifyInstance, config: Config): Promise<string> {
  try {
    await server.listen({ port: config.port, host: config.host });
  } catch (error) {
    throw new ConfigError(
      `cannot listen on ${config.host} port ${config.port} (${error instanceof Error ? error.message : error}): ` +
        "set PORTICO_PORT or PORTICO_HOST",
    );
  }
  const { port } = server.server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  config.baseUrl ??= `http://localhost:${port}`;
  config.consoleUrl ??= config.baseUrl;
  return `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
}
