import { lastBackupAt } from "../platform/disk/last-backup.ts";
import type { CertificateFiles } from "../platform/http/certificate-files.ts";
import type { Context } from "./context.ts";

type Parts = Pick<Context, "bodies" | "config" | "freeSpace" | "metrics" | "requestLog" | "storage">;

/** Adds the gauges of parts that know nothing of metrics. None of them costs more than a look at the part. */
export function addGauges({ metrics, storage, freeSpace, bodies, requestLog, config }: Parts): void {
  const pools = () => storage.load().pools;
  metrics.addGauges(
    "portico_database_connections",
    "Connections to PostgreSQL by pool and state: used or idle; none with SQLite",
    ["pool", "state"],
    () =>
      pools().flatMap(({ pool, used, idle }) => [
        [{ pool, state: "used" }, used] as const,
        [{ pool, state: "idle" }, idle] as const,
      ]),
  );
  metrics.addGauges(
    "portico_database_connections_max",
    "The most connections to PostgreSQL that a pool opens",
    ["pool"],
    () => pools().map(({ pool, most }) => [{ pool }, most] as const),
  );
  metrics.addGauges(
    "portico_database_waiting",
    "Callers that wait for a connection to PostgreSQL, by pool",
    ["pool"],
    () => pools().map(({ pool, waiting }) => [{ pool }, waiting] as const),
  );
  metrics.addGauge(
    "portico_database_pending_units",
    "Units of work that wait for a transaction or are in one",
    () => storage.load().pendingUnits,
  );
  const free = "Bytes free in the file system of the data directory";
  metrics.addGauge("portico_disk_free_bytes", free, () => freeSpace.free);
  const total = "Size of the file system of the data directory, in bytes";
  metrics.addGauge("portico_disk_size_bytes", total, () => freeSpace.total);
  const bytes = "Memory that request bodies take, in bytes";
  metrics.addGauge("portico_request_bodies_bytes", bytes, () => bodies.bytes);
  const dropped = "Records of the request log that were dropped because the database could not keep up";
  metrics.addCounter("portico_request_log_dropped_total", dropped, () => requestLog.dropped);
  metrics.addGauge(
    "portico_backup_timestamp_seconds",
    "When the last backup was complete, in seconds since 1970; absent while none is noted in the data directory",
    async () => {
      const at = await lastBackupAt(config.dataDir);
      return at === null ? null : at / 1_000;
    },
  );
}

/** Adds the gauge of the service's own certificate, which has no value without one. */
export function addCertificateGauge({ metrics }: Pick<Context, "metrics">, certificate: CertificateFiles | null): void {
  metrics.addGauge(
    "portico_certificate_end_timestamp_seconds",
    "When the TLS certificate in force ends, in seconds since 1970; absent while the service does not speak TLS itself",
    () => (certificate === null ? null : certificate.endsAt / 1_000),
  );
}
