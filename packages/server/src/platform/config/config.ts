import { resolve } from "node:path";
import { ConfigError } from "./config-error.ts";
import {
  bytes,
  duration,
  durations,
  integer,
  key32,
  networks,
  type Option,
  oneOf,
  proxies,
  rate,
  text,
  url,
} from "./options.ts";
import { readSettings, type Setting, variableOf } from "./settings.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MIB = 1024 * 1024;
const MOST_BYTES = 1024 ** 5;
/**
 * Per second. With less, three concurrent large uploads of one owner might not finish before their requests time out.
 */
const LEAST_RATE = 2 * MIB;

/** Every key, its type and its default. The environment variable is the path in capitals. */
export const KEYS = {
  port: [integer(0, 65_535), 8080],
  host: [text, "127.0.0.1"],
  environment: [oneOf("test", "production"), "test"],
  baseUrl: [url("http:", "https:"), null],
  consoleUrl: [url("http:", "https:"), null],
  trustedProxies: [proxies, []],
  dataDir: [text, "./data"],
  databaseUrl: [url("postgres:", "postgresql:"), null],
  redisUrl: [url("redis:", "rediss:"), null],
  "blobs.kind": [oneOf("disk", "s3"), "disk"],
  "blobs.endpoint": [url("http:", "https:"), null],
  "blobs.bucket": [text, null],
  "blobs.region": [text, null],
  "blobs.accessKeyId": [text, null],
  "blobs.secretAccessKey": [text, null],
  masterKey: [key32, null],
  provision: [text, null],
  "limits.perMinute": [integer(1, 1_000_000_000), 6_000],
  "limits.perDay": [integer(1, 1_000_000_000_000), 100_000],
  "limits.concurrent": [integer(1, 1_000_000), 20],
  "limits.fileKeyTtl": [duration(1_000, 30 * DAY), 600_000],
  "limits.connections": [integer(10, 1_000_000), 10_000],
  "limits.bodyBytes": [integer(MIB * 4, MIB * 65_536), MIB * 64],
  "limits.bodyTimeout": [duration(100, HOUR), 15_000],
  "limits.headTimeout": [duration(100, HOUR), 15_000],
  "limits.nonceTtl": [duration(1_000, 600_000), 300_000],
  "limits.timestampWindow": [duration(1_000, 600_000), 300_000],
  "limits.credentialGrace": [duration(0, 365 * DAY), DAY],
  "limits.miniappCodeTtl": [duration(1_000, DAY), 120_000],
  "limits.memberMessagesPerMinute": [integer(1, 1_000_000_000), 6_000],
  "limits.visitorMessagesPerMinute": [integer(1, 1_000_000_000), 600],
  "limits.memberBytesPerHour": [bytes(1, MOST_BYTES), 512 * MIB],
  "limits.visitorBytesPerHour": [bytes(1, MOST_BYTES), 64 * MIB],
  "limits.appBytesPerHour": [bytes(1, MOST_BYTES), 10 * 1024 * MIB],
  "limits.memberBytesPerSecond": [bytes(LEAST_RATE, MOST_BYTES), 8 * MIB],
  "limits.visitorBytesPerSecond": [bytes(LEAST_RATE, MOST_BYTES), 4 * MIB],
  "limits.appBytesPerSecond": [bytes(LEAST_RATE, MOST_BYTES), 64 * MIB],
  "limits.diskReserve": [bytes(0, MOST_BYTES), null],
  "console.accessTokenTtl": [duration(1_000, 30 * DAY), 2 * HOUR],
  "console.refreshTtl": [duration(1_000, 365 * DAY), 30 * DAY],
  "console.qrTtl": [duration(1_000, DAY), 120_000],
  "webhook.retryDelays": [durations(20, 30 * DAY), [10_000, 30_000, 120_000, 600_000, 1_800_000, 2 * HOUR]],
  "webhook.connectTimeout": [duration(10, HOUR), 3_000],
  "webhook.readTimeout": [duration(10, HOUR), 8_000],
  "webhook.circuit.window": [duration(100, HOUR), 10_000],
  "webhook.circuit.minimum": [integer(1, 1_000_000), 5],
  "webhook.circuit.failureRate": [rate, 0.5],
  "webhook.circuit.openFor": [duration(100, DAY), 30_000],
  "webhook.allowNetworks": [networks, []],
  "webhook.concurrencyPerApp": [integer(1, 10_000), 20],
  "retention.requests": [duration(60_000, 3_650 * DAY), 7 * DAY],
  "retention.deliveries": [duration(60_000, 3_650 * DAY), 30 * DAY],
  "web.imageProxy": [oneOf("true", "false"), "false"],
  "web.imageNetworks": [networks, []],
  logLevel: [oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"), "info"],
} as const satisfies Record<string, readonly [Option<unknown>, unknown]>;

type Key = keyof typeof KEYS;
type ValueOf<K extends Key> = (typeof KEYS)[K] extends readonly [Option<infer Value>, infer Default]
  ? Value | (Default extends null ? null : never)
  : never;

/** An S3-compatible store. */
export interface S3Settings {
  /** Null for Amazon S3 itself. */
  endpoint: string | null;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The validated configuration. Times are in milliseconds; URLs have no trailing slash. */
export interface Config {
  port: number;
  host: string;
  environment: "test" | "production";
  /** Null: derived from the port once that is known. */
  baseUrl: string | null;
  consoleUrl: string | null;
  /** Networks in CIDR notation whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
  dataDir: string;
  /** Set in distributed mode, which needs both PostgreSQL and Redis. */
  distributed: { databaseUrl: string; redisUrl: string } | null;
  masterKey: Buffer | null;
  provision: string | null;
  /** Where the contents of files are stored. */
  blobs: { kind: "disk" } | ({ kind: "s3" } & S3Settings);
  limits: {
    perMinute: number;
    perDay: number;
    concurrent: number;
    /** The most connections of a process. */
    connections: number;
    /** The memory for the request bodies of all calls, uploads excepted. */
    bodyBytes: number;
    /** The time in which such a body must arrive. */
    bodyTimeoutMs: number;
    /** The time in which the head of a request must arrive. */
    headTimeoutMs: number;
    nonceTtlMs: number;
    timestampWindowMs: number;
    credentialGraceMs: number;
    fileKeyTtlMs: number;
    miniappCodeTtlMs: number;
    memberMessagesPerMinute: number;
    visitorMessagesPerMinute: number;
    memberBytesPerHour: number;
    visitorBytesPerHour: number;
    appBytesPerHour: number;
    memberBytesPerSecond: number;
    visitorBytesPerSecond: number;
    appBytesPerSecond: number;
    /** In bytes; null: derived from the size of the disk. */
    diskReserve: number | null;
  };
  console: { accessTokenTtlMs: number; refreshTtlMs: number; qrTtlMs: number };
  webhook: {
    retryDelaysMs: readonly number[];
    connectTimeoutMs: number;
    readTimeoutMs: number;
    circuit: { windowMs: number; minimum: number; failureRate: number; openForMs: number };
    allowNetworks: readonly string[];
    concurrencyPerApp: number;
  };
  retention: { requestsMs: number; deliveriesMs: number };
  web: {
    /** Whether the service fetches the pictures that the messenger and the console show. */
    imageProxy: boolean;
    /** Networks in CIDR notation that pictures may be fetched from, beside the public Internet. */
    imageNetworks: readonly string[];
  };
  logLevel: string;
}

/**
 * Reads the configuration from the JSON file named by `PORTICO_CONFIG` and from the environment, which takes
 * precedence.
 *
 * @throws ConfigError that names the invalid or unknown key.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const settings = readSettings(env, Object.keys(KEYS));
  const values = new Map(
    Object.entries(KEYS).map(([key, [option, fallback]]) => {
      const setting = settings.get(key);
      return [key, setting === undefined ? fallback : readSetting<unknown>(option, setting)];
    }),
  );
  const get = <K extends Key>(key: K) => values.get(key) as ValueOf<K>;
  return {
    port: get("port"),
    host: get("host"),
    environment: get("environment"),
    baseUrl: get("baseUrl")?.replace(/\/+$/, "") ?? null,
    consoleUrl: get("consoleUrl")?.replace(/\/+$/, "") ?? null,
    trustedProxies: get("trustedProxies"),
    dataDir: resolve(get("dataDir")),
    distributed: distributedOf(get("databaseUrl"), get("redisUrl"), get("masterKey")),
    masterKey: get("masterKey"),
    provision: get("provision"),
    blobs:
      get("blobs.kind") === "disk"
        ? { kind: "disk" }
        : {
            kind: "s3",
            endpoint: get("blobs.endpoint"),
            bucket: required("blobs.bucket", get("blobs.bucket")),
            region: get("blobs.region") ?? "us-east-1",
            accessKeyId: required("blobs.accessKeyId", get("blobs.accessKeyId")),
            secretAccessKey: required("blobs.secretAccessKey", get("blobs.secretAccessKey")),
          },
    limits: {
      perMinute: get("limits.perMinute"),
      perDay: get("limits.perDay"),
      concurrent: get("limits.concurrent"),
      connections: get("limits.connections"),
      bodyBytes: get("limits.bodyBytes"),
      bodyTimeoutMs: get("limits.bodyTimeout"),
      headTimeoutMs: get("limits.headTimeout"),
      nonceTtlMs: get("limits.nonceTtl"),
      timestampWindowMs: get("limits.timestampWindow"),
      credentialGraceMs: get("limits.credentialGrace"),
      fileKeyTtlMs: get("limits.fileKeyTtl"),
      miniappCodeTtlMs: get("limits.miniappCodeTtl"),
      memberMessagesPerMinute: get("limits.memberMessagesPerMinute"),
      visitorMessagesPerMinute: get("limits.visitorMessagesPerMinute"),
      memberBytesPerHour: get("limits.memberBytesPerHour"),
      visitorBytesPerHour: get("limits.visitorBytesPerHour"),
      appBytesPerHour: get("limits.appBytesPerHour"),
      memberBytesPerSecond: get("limits.memberBytesPerSecond"),
      visitorBytesPerSecond: get("limits.visitorBytesPerSecond"),
      appBytesPerSecond: get("limits.appBytesPerSecond"),
      diskReserve: get("limits.diskReserve"),
    },
    console: {
      accessTokenTtlMs: get("console.accessTokenTtl"),
      refreshTtlMs: get("console.refreshTtl"),
      qrTtlMs: get("console.qrTtl"),
    },
    webhook: {
      retryDelaysMs: get("webhook.retryDelays"),
      connectTimeoutMs: get("webhook.connectTimeout"),
      readTimeoutMs: get("webhook.readTimeout"),
      circuit: {
        windowMs: get("webhook.circuit.window"),
        minimum: get("webhook.circuit.minimum"),
        failureRate: get("webhook.circuit.failureRate"),
        openForMs: get("webhook.circuit.openFor"),
      },
      allowNetworks: get("webhook.allowNetworks"),
      concurrencyPerApp: get("webhook.concurrencyPerApp"),
    },
    retention: { requestsMs: get("retention.requests"), deliveriesMs: get("retention.deliveries") },
    web: { imageProxy: get("web.imageProxy") === "true", imageNetworks: get("web.imageNetworks") },
    logLevel: get("logLevel"),
  };
}

function required(key: Key, value: string | null): string {
  if (value === null) throw new ConfigError(`${variableOf(key)} is required with PORTICO_BLOBS_KIND=s3`);
  return value;
}

function readSetting<Value>(option: Option<Value>, setting: Setting): Value {
  const value = option.read(setting.raw);
  if (value === undefined) throw new ConfigError(`${setting.name} must be ${option.expected}`);
  return value;
}

function distributedOf(databaseUrl: string | null, redisUrl: string | null, masterKey: Buffer | null) {
  if (databaseUrl === null && redisUrl === null) return null;
  if (databaseUrl === null) throw new ConfigError("PORTICO_REDIS_URL is set without PORTICO_DATABASE_URL: set both");
  if (redisUrl === null) throw new ConfigError("PORTICO_DATABASE_URL is set without PORTICO_REDIS_URL: set both");
  if (masterKey === null) {
    throw new ConfigError(
      "PORTICO_MASTER_KEY is required with PORTICO_DATABASE_URL, the same for every process: 32 random bytes, " +
        'for example from "openssl rand -hex 32"',
    );
  }
  return { databaseUrl, redisUrl };
}
