import { PAGES_FOLDER } from "@portico/web/pages";
import type { Logger } from "pino";
import { PresenceSweep } from "../domain/customer-service/presence-sweep.ts";
import type { Config } from "../platform/config/config.ts";
import { makeRoomToOpen } from "../platform/disk/free-space.ts";
import { openDataDir, restrictBelow } from "../platform/disk/private-files.ts";
import { CertificateFiles } from "../platform/http/certificate-files.ts";
import { ConnectionLimit } from "../platform/http/connection-limit.ts";
import { Serializers } from "../platform/http/serializers.ts";
import { createMetrics } from "../platform/metrics.ts";
import { openStorage } from "../platform/storage/open-storage.ts";
import { SchemaWatch } from "../platform/storage/schema-watch.ts";
import { lockDataDir } from "../platform/storage/sqlite/instance-lock.ts";
import type { StorageParts } from "../platform/storage/storage-parts.ts";
import { tracedStorage } from "../platform/tracing/traced-storage.ts";
import { addCertificateGauge } from "./add-gauges.ts";
import type { Context } from "./context.ts";
import { createContext } from "./create-context.ts";
import { Departure } from "./departure.ts";
import { createServer } from "./http-server.ts";
import { closeServer, listen } from "./listen.ts";
import { Maintenance } from "./maintenance.ts";
import { openMetricsServer } from "./metrics-endpoint.ts";
import { provisionAtStart } from "./provision-at-start.ts";
import type { StartParts } from "./start-parts.ts";

/** A running service. */
export interface Portico {
  /** Where it listens, for example `http://127.0.0.1:8080`. */
  url: string;
  /** Where the metrics are, if they have a port of their own. */
  metricsUrl: string | null;
  ctx: Context;
  /**
   * Has callers go elsewhere: readiness checks fail at once, and after the delay no connection is accepted. Resolves when calls
   * have left the process or had a moment to. Call `stop` then.
   */
  depart(delayMs: number): Promise<void>;
  /** Stops accepting requests, finishes those in flight, and closes all resources. */
  stop(): Promise<void>;
}

/**
 * Starts the service: data directory, database, coordination, provisioning, HTTP. When a step fails, the resources
 * opened before are closed.
 *
 * @throws ConfigError, ProvisioningError with a message for the operator.
 */
export async function startPortico(config: Config, parts: StartParts): Promise<Portico> {
  await using opened = new AsyncDisposableStack();
  const certificate = config.tls && (await CertificateFiles.open(config.tls, parts.clock, parts.log));
  await openDataDir(config.dataDir, parts.log);
  if (config.distributed === null) opened.adopt(lockDataDir(config.dataDir), (lock) => lock.release());
  await makeRoomToOpen({ config, log: parts.log, probe: parts.probe });
  const metrics = createMetrics();
  const storageOptions = { ...storageParts(parts), timings: metrics.timings };
  const opening = await openStorage(config, storageOptions, parts.deadlines);
  const plain = opened.adopt(opening, (open) => open.close());
  const storage = parts.tracing ? tracedStorage(plain, parts.tracing) : plain;
  const ctx = await createContext(config, parts, storage, metrics, opened);
  addCertificateGauge(ctx, certificate);
  await ctx.processes.tell();
  await ctx.masterKeyRotation.join();

  const maintenance = opened.adopt(new Maintenance(ctx), (open) => open.close());
  const presenceSweep = opened.adopt(new PresenceSweep(ctx), (open) => open.close());
  await provisionAtStart(ctx);
  // Must come before new work can be claimed.
  if (config.distributed === null) await ctx.webhooks.takeOver();
  const departure = new Departure();
  const connections = new ConnectionLimit(config.limits.connections);
  const server = opened.adopt(
    await createServer(ctx, {
      serializers: parts.serializers ?? new Serializers(),
      pages: parts.pages ?? PAGES_FOLDER,
      certificate,
      departure,
      connections,
    }),
    closeServer,
  );
  const metricsServer = opened.adopt(await openMetricsServer(ctx), async (open) => await open?.close());
  const url = await listen(server, config);
  void maintenance.run();
  opened.use(restrictingBelow(config.dataDir, parts.log));
  ctx.redeliveryJobs.start();
  await ctx.memberErasures.start();
  ctx.webhooks.start();
  const { redeliveryJobs, memberErasures, webhooks, masterKeyRotation } = ctx;
  stopWorkOnRetirement(ctx, [maintenance, presenceSweep, redeliveryJobs, memberErasures, webhooks, masterKeyRotation]);
  opened.adopt(watchSchema(ctx), (open) => open?.close());

  const running = opened.move();
  const stop = () => {
    storage.hurry();
    return running.disposeAsync();
  };
  const depart = (delayMs: number) => departure.begin(server.server, connections, delayMs);
  return { url, metricsUrl: metricsServer?.url ?? null, ctx, depart, stop };
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
