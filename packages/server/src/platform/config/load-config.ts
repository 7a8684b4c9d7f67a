import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { KEYS, type Key, SECRETS, type ValueOf } from "./keys.ts";
import { developerOidcOf, memberOidcOf } from "./oidc-settings.ts";
import type { Option } from "./options.ts";
import type { RedisAddress } from "./redis-address.ts";
import { readSettings, type Setting, variableOf } from "./settings.ts";
import { tracingOf } from "./tracing-endpoint.ts";

/**
 * Reads the configuration from the JSON file named by `PORTICO_CONFIG` and from the environment, which takes
 * precedence.
 *
 * @throws ConfigError that names the invalid or unknown key.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const settings = readSettings(env, Object.keys(KEYS), SECRETS);
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
    tls: tlsOf(get("tls.certFile"), get("tls.keyFile")),
    stopDelayMs: get("stopDelay"),
    dataDir: resolve(get("dataDir")),
    distributed: distributedOf(get("databaseUrl"), get("redisUrl"), get("masterKey")),
    masterKeys: get("masterKey"),
    masterKeyFile: fileOf(settings.get("masterKey")),
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
      anonymousAddressBytesPerHour: get("limits.anonymousAddressBytesPerHour"),
      anonymousAppBytesPerHour: get("limits.anonymousAppBytesPerHour"),
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
    signIn: {
      requireSecondFactor: get("signIn.requireSecondFactor"),
      passwordMinLength: get("signIn.passwordMinLength"),
    },
    oidc: {
      // The networks of callbacks count too; the other way round, developers could have callbacks where the provider is.
      allowNetworks: [...get("oidc.allowNetworks"), ...get("webhook.allowNetworks")],
      members: memberOidcOf(get),
      developers: developerOidcOf(get),
    },
    scim: { groupsAsConversations: get("scim.groupsAsConversations") === "true" },
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
      allowLoopback: onlyInTest("webhook.allowLoopback", get("webhook.allowLoopback") === "true", get("environment")),
      concurrencyPerApp: get("webhook.concurrencyPerApp"),
      socketHoldMs: get("webhook.socketHold"),
      socketHeartbeatMs: get("webhook.socketHeartbeat"),
    },
    retention: {
      requestsMs: get("retention.requests"),
      deliveriesMs: get("retention.deliveries"),
      auditMs: get("retention.audit"),
    },
    web: { imageProxy: get("web.imageProxy") === "true", imageNetworks: get("web.imageNetworks") },
    metrics: { port: get("metrics.port"), token: get("metrics.token") },
    tracing: tracingOf(env),
    log: { format: get("log.format") },
    logLevel: get("logLevel"),
  };
}

/** All that is wrong with the configuration, in words; where single values are wrong, only those. */
export function configurationFaults(env: NodeJS.ProcessEnv): string[] {
  try {
    const settings = readSettings(env, Object.keys(KEYS), SECRETS);
    const wrong = Object.entries(KEYS).flatMap(([key, [option]]) => {
      const setting = settings.get(key);
      if (setting === undefined || option.read(setting.raw) !== undefined) return [];
      return [`${setting.name} must be ${option.expected}`];
    });
    if (wrong.length === 0) loadConfig(env);
    return wrong;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [error.message];
  }
}

function required(key: Key, value: string | null): string {
  if (value === null) throw new ConfigError(`${variableOf(key)} is required with PORTICO_BLOBS_KIND=s3`);
  return value;
}

/** A switch that would be a hole in production, where the start is refused with it. */
function onlyInTest(key: Key, isOn: boolean, environment: Config["environment"]): boolean {
  if (!isOn || environment !== "production") return isOn;
  throw new ConfigError(
    `${variableOf(key)} is for the test environment only: leave it out, or set PORTICO_ENVIRONMENT=test`,
  );
}

function readSetting<Value>(option: Option<Value>, setting: Setting): Value {
  const value = option.read(setting.raw);
  if (value === undefined) throw new ConfigError(`${setting.name} must be ${option.expected}`);
  return value;
}

/** The file of a setting; null without one, and for a pipe, which cannot be read twice. */
function fileOf(setting: Setting | undefined): string | null {
  const path = setting?.file === undefined ? null : resolve(setting.file);
  return path !== null && statSync(path, { throwIfNoEntry: false })?.isFile() ? path : null;
}

function tlsOf(certFile: string | null, keyFile: string | null): Config["tls"] {
  if (certFile === null && keyFile === null) return null;
  if (certFile === null) throw new ConfigError("PORTICO_TLS_KEY_FILE is set without PORTICO_TLS_CERT_FILE: set both");
  if (keyFile === null) throw new ConfigError("PORTICO_TLS_CERT_FILE is set without PORTICO_TLS_KEY_FILE: set both");
  return { certFile: resolve(certFile), keyFile: resolve(keyFile) };
}

function distributedOf(databaseUrl: string | null, redis: RedisAddress | null, masterKeys: readonly Buffer[]) {
  if (databaseUrl === null && redis === null) return null;
  if (databaseUrl === null) throw new ConfigError("PORTICO_REDIS_URL is set without PORTICO_DATABASE_URL: set both");
  if (redis === null) throw new ConfigError("PORTICO_DATABASE_URL is set without PORTICO_REDIS_URL: set both");
  if (masterKeys.length === 0) {
    throw new ConfigError(
      "PORTICO_MASTER_KEY is required with PORTICO_DATABASE_URL, the same for every process: 32 random bytes, " +
        'for example from "openssl rand -hex 32"',
    );
  }
  return { databaseUrl, redis };
}
