import { constants } from "node:fs";
import { access, lstat, readFile, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { pino } from "pino";
import { openOidcProviders } from "../domain/accounts/oidc/providers.ts";
import { openS3Blobs } from "../platform/blobs/s3.ts";
import { systemClock } from "../platform/clock/clock.ts";
import type { Config } from "../platform/config/config.ts";
import { configurationFaults, loadConfig } from "../platform/config/load-config.ts";
import { backupPassphrase, refuseShortPassphrase } from "../platform/config/settings.ts";
import { openRedis } from "../platform/coordination/redis-client.ts";
import { faultOf, readKeyState } from "../platform/crypto/key-state.ts";
import { readMasterKeys } from "../platform/crypto/master-key-file.ts";
import { directoryFault } from "../platform/disk/private-files.ts";
import { CertificateFiles } from "../platform/http/certificate-files.ts";
import { isKnownMigration, LATEST_MIGRATION } from "../platform/storage/migrate.ts";
import { openReadOnly } from "../platform/storage/open-read-only.ts";
import { schemaVersion } from "../platform/storage/schema-state.ts";

/** What a check of the configuration found: that all is well, a fault, or that there is nothing to check. */
export interface ConfigurationFinding {
  check: string;
  state: "ok" | "fault" | "none";
  /** What is so. */
  detail: string;
  /** What to do about it. */
  advice: string[];
}

/** Each check has so long; all run side by side, so this is what the whole takes at most. */
const CHECK_MS = 20_000;

/** What a check says: what is well; or with `advice`, that there is nothing to check yet. */
type Said = string | { detail: string; advice: string };

/**
 * Checks that a service with this configuration would find what it needs: every value is right, the database and Redis
 * answer, the master key opens the database's secrets, files and certificates can be used, providers and the collector answer. All checks run, whatever the
 * others find, and nothing is written or created.
 */
export async function checkConfiguration(env: NodeJS.ProcessEnv): Promise<ConfigurationFinding[]> {
  const faults = configurationFaults(env);
  if (faults.length > 0) return faults.map((detail) => ({ check: "settings", state: "fault", detail, advice: [] }));
  const config = loadConfig(env);
  const checks: [name: string, check: (config: Config) => Promise<Said>][] = [
    ["database", checkDatabase],
    ["master key", checkMasterKey],
    ["directory", checkDirectory],
  ];
  if (config.distributed !== null) checks.push(["redis", checkRedis]);
  if (config.blobs.kind === "s3") checks.push(["bucket", checkBucket]);
  if (config.tls !== null) checks.push(["certificate", checkCertificate]);
  if (config.provision !== null) checks.push(["provision", checkProvision]);
  if (config.oidc.members !== null) checks.push(["members' provider", (of) => checkProvider(of, "members")]);
  if (config.oidc.developers !== null) checks.push(["developers' provider", (of) => checkProvider(of, "developers")]);
  if (config.tracing !== null) checks.push(["collector", checkCollector]);
  if (config.baseUrl !== null) checks.push(["address", checkAddress]);
  if (env.PORTICO_BACKUP_PASSPHRASE !== undefined || env.PORTICO_BACKUP_PASSPHRASE_FILE !== undefined) {
    checks.push(["backup passphrase", async () => checkPassphrase(env)]);
  }
  const found = await Promise.all(checks.map(([name, check]) => run(name, () => check(config))));
  return [{ check: "settings", state: "ok", detail: "every value is right", advice: [] }, ...found];
}

async function run(check: string, work: () => Promise<Said>): Promise<ConfigurationFinding> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS / 1_000} s`)), CHECK_MS);
  try {
    const said = await Promise.race([work(), late]);
    if (typeof said === "string") return { check, state: "ok", detail: said, advice: [] };
    return { check, state: "none", detail: said.detail, advice: [said.advice] };
  } catch (error) {
    return { check, state: "fault", detail: wordsOf(error), advice: [] };
  } finally {
    clearTimeout(timer);
  }
}

/** Of several failed attempts at one name, such as by IPv4 and IPv6, the first tells enough. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}

async function checkDatabase(config: Config): Promise<Said> {
  const where = config.distributed === null ? config.dataDir : "PostgreSQL";
  const version = await schemaVersion(config);
  if (version === null) return { detail: `${where} has no database yet`, advice: "The first start makes it." };
  if (version === LATEST_MIGRATION) return `${where} answers, with the schema of this version`;
  if (!isKnownMigration(version)) throw new Error(`a newer version of Portico has migrated it (to ${version})`);
  return {
    detail: `its schema is ${version}`,
    advice: `A start, or \`portico migrate\`, brings it to ${LATEST_MIGRATION}.`,
  };
}

async function checkMasterKey(config: Config): Promise<Said> {
  const keys = readMasterKeys(config);
  if ((await schemaVersion(config)) !== LATEST_MIGRATION) {
    return {
      detail: "there are no secrets that it could be compared with",
      advice: "The first start makes or takes one.",
    };
  }
  await using opened = new AsyncDisposableStack();
  const { db } = opened.adopt(await openReadOnly(config), (open) => open.close());
  const state = await readKeyState(db);
  if (state.check === null) return "the database has no secrets yet";
  if (keys.length === 0)
    throw new Error("it is missing, and the secrets in the database need it: restore it from a backup");
  const fault = faultOf(state, keys);
  if (fault !== null) throw new Error(fault);
  if (state.rotation !== null && state.rotation.doneAt === null) {
    return {
      detail: "it is being rotated, and all keys that are needed are there",
      advice: "`portico master-key status` says how far it is.",
    };
  }
  return "it is the one that the database was written with";
}

/** The directory, or the one in which a start would make it. */
async function checkDirectory({ dataDir, limits }: Config): Promise<Said> {
  let there = dataDir;
  while (!(await isThere(there)) && dirname(there) !== there) there = dirname(there);
  if (!(await stat(there)).isDirectory()) throw new Error(`${there} is no directory`);
  try {
    await access(there, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`${there} cannot be used: ${directoryFault(error)}`, { cause: error });
  }
  const { bavail, bsize, blocks } = await statfs(there);
  if (blocks === 0) throw new Error(`${there} is on a file system that holds no files of anybody's`);
  const free = bavail * bsize;
  const reserve = limits.diskReserve ?? Math.min(256 * 2 ** 20, (blocks * bsize) / 20);
  if (free < reserve) throw new Error(`${there} has ${mebibytes(free)} free, less than limits.diskReserve`);
  if (there === dataDir) return `${dataDir} can be written, with ${mebibytes(free)} free`;
  return { detail: `${dataDir} is not there yet`, advice: "The first start makes it." };
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MiB`;
}

async function checkRedis({ distributed }: Config): Promise<Said> {
  if (distributed === null) throw new Error("there is none");
  const client = openRedis(distributed.redis);
  let reason: unknown;
  client.on("error", (error) => {
    reason ??= error;
  });
  try {
    await client.ping();
    return "it answers";
  } catch (error) {
    throw reason ?? error;
  } finally {
    client.disconnect();
  }
}

async function checkBucket({ blobs }: Config): Promise<Said> {
  if (blobs.kind !== "s3") throw new Error("there is none");
  await using opened = new AsyncDisposableStack();
  const store = opened.adopt(await openS3Blobs(blobs), (open) => open.close());
  await store.ping();
  return `${blobs.bucket} answers`;
}

async function checkCertificate({ tls }: Config): Promise<Said> {
  if (tls === null) throw new Error("there is none");
  await CertificateFiles.open(tls, systemClock, pino({ level: "silent" }));
  return `${tls.certFile} belongs to its key`;
}

async function checkProvision({ provision }: Config): Promise<Said> {
  if (provision === null) throw new Error("there is none");
  JSON.parse(await readFile(provision, "utf8"));
  return {
    detail: `${provision} is JSON`,
    advice: `\`portico provision ${provision} --dry-run\` says what it would change.`,
  };
}

async function checkProvider(config: Config, people: "members" | "developers"): Promise<Said> {
  const provider = openOidcProviders(config, { lookup: undefined, ca: undefined }, systemClock)[people];
  if (provider === null) throw new Error("there is none");
  await provider.check();
  return `${provider.settings.issuer} answers, with its keys`;
}

async function checkCollector({ tracing }: Config): Promise<Said> {
  if (tracing === null) throw new Error("there is none");
  // Nothing of OpenTelemetry is loaded without need.
  const { probeCollector } = await import("../platform/tracing/probe-collector.ts");
  await probeCollector(tracing.url, CHECK_MS / 2);
  // Some carry a key in their query.
  const { origin, pathname } = new URL(tracing.url);
  return `${origin}${pathname} takes traces`;
}

function checkPassphrase(env: NodeJS.ProcessEnv): Said {
  refuseShortPassphrase(backupPassphrase(env) ?? "");
  return "it is long enough to seal the master key";
}

/** Nobody has to answer there before the service runs; but nobody else may. */
async function checkAddress({ baseUrl }: Config): Promise<Said> {
  const address = new URL("/healthz", baseUrl ?? "");
  let response: Response;
  try {
    response = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(CHECK_MS / 2) });
    await response.body?.cancel();
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return {
      detail: `${baseUrl} does not answer: ${wordsOf(cause)}`,
      advice: "That is right while the service is stopped; else look at the proxy and the name's address.",
    };
  }
  if (response.status !== 200) throw new Error(`${address.href} answers ${response.status}, not as the service does`);
  return `the service answers at ${baseUrl}`;
}
