import {
  bytes,
  duration,
  durations,
  integer,
  key32,
  networks,
  type Option,
  oneOf,
  postgresUrl,
  proxies,
  rate,
  redisAddress,
  text,
  token,
  url,
} from "./options.ts";

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
  "tls.certFile": [text, null],
  "tls.keyFile": [text, null],
  dataDir: [text, "./data"],
  databaseUrl: [postgresUrl, null],
  redisUrl: [redisAddress, null],
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
  "limits.anonymousAddressBytesPerHour": [bytes(1, MOST_BYTES), 128 * MIB],
  "limits.anonymousAppBytesPerHour": [bytes(1, MOST_BYTES), 1024 * MIB],
  "limits.appBytesPerHour": [bytes(1, MOST_BYTES), 10 * 1024 * MIB],
  "limits.memberBytesPerSecond": [bytes(LEAST_RATE, MOST_BYTES), 8 * MIB],
  "limits.visitorBytesPerSecond": [bytes(LEAST_RATE, MOST_BYTES), 4 * MIB],
  "limits.appBytesPerSecond": [bytes(LEAST_RATE, MOST_BYTES), 64 * MIB],
  "limits.diskReserve": [bytes(0, MOST_BYTES), null],
  "console.accessTokenTtl": [duration(1_000, 30 * DAY), 2 * HOUR],
  "console.refreshTtl": [duration(1_000, 365 * DAY), 30 * DAY],
  "console.qrTtl": [duration(1_000, DAY), 120_000],
  "signIn.requireSecondFactor": [oneOf("none", "operators", "developers"), "none"],
  "signIn.passwordMinLength": [integer(8, 128), 8],
  "webhook.retryDelays": [durations(20, 30 * DAY), [10_000, 30_000, 120_000, 600_000, 1_800_000, 2 * HOUR]],
  "webhook.connectTimeout": [duration(10, HOUR), 3_000],
  "webhook.readTimeout": [duration(10, HOUR), 8_000],
  "webhook.circuit.window": [duration(100, HOUR), 10_000],
  "webhook.circuit.minimum": [integer(1, 1_000_000), 5],
  "webhook.circuit.failureRate": [rate, 0.5],
  "webhook.circuit.openFor": [duration(100, DAY), 30_000],
  "webhook.allowNetworks": [networks, []],
  "webhook.allowLoopback": [oneOf("true", "false"), "false"],
  "webhook.concurrencyPerApp": [integer(1, 10_000), 20],
  "webhook.socketHold": [duration(100, 30 * DAY), DAY],
  "webhook.socketHeartbeat": [duration(100, HOUR), 30_000],
  "retention.requests": [duration(60_000, 3_650 * DAY), 7 * DAY],
  "retention.deliveries": [duration(60_000, 3_650 * DAY), 30 * DAY],
  "web.imageProxy": [oneOf("true", "false"), "false"],
  "web.imageNetworks": [networks, []],
  "metrics.port": [integer(0, 65_535), null],
  "metrics.token": [token, null],
  "log.format": [oneOf("json", "pretty"), "json"],
  logLevel: [oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"), "info"],
} as const satisfies Record<string, readonly [Option<unknown>, unknown]>;

/** What may come from a file named by the variable with `_FILE`, as container platforms hand over secrets. */
export const SECRETS: readonly Key[] = [
  "masterKey",
  "databaseUrl",
  "redisUrl",
  "blobs.accessKeyId",
  "blobs.secretAccessKey",
  "metrics.token",
];

export type Key = keyof typeof KEYS;
export type ValueOf<K extends Key> = (typeof KEYS)[K] extends readonly [Option<infer Value>, infer Default]
  ? Value | (Default extends null ? null : never)
  : never;
