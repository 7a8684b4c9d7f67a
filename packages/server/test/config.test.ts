import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, type TestContext, test } from "node:test";
import type { Config } from "../src/platform/config/config.ts";
import { ConfigError } from "../src/platform/config/config-error.ts";
import { KEYS } from "../src/platform/config/keys.ts";
import { loadConfig } from "../src/platform/config/load-config.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MIB = 1024 * 1024;
const DAY = 24 * HOUR;
const HEX_KEY = "00112233445566778899aabbccddeeff".repeat(2);

/** Every key: its variable, its default, a valid value and an invalid one. */
const TABLE: [key: keyof typeof KEYS, variable: string, byDefault: unknown, correct: string, wrong: string][] = [
  ["port", "PORTICO_PORT", 8080, "0", "65536"],
  ["host", "PORTICO_HOST", "127.0.0.1", "0.0.0.0", ""],
  ["environment", "PORTICO_ENVIRONMENT", "test", "production", "Production"],
  ["baseUrl", "PORTICO_BASE_URL", null, "https://open.example.com", "open.example.com"],
  ["consoleUrl", "PORTICO_CONSOLE_URL", null, "https://console.example.com", "ftp://console.example.com"],
  ["trustedProxies", "PORTICO_TRUSTED_PROXIES", [], "10.0.0.0/8, fd00::/8", "10.0.0.1"],
  ["tls.certFile", "PORTICO_TLS_CERT_FILE", null, "/etc/portico/tls.crt", ""],
  ["tls.keyFile", "PORTICO_TLS_KEY_FILE", null, "/etc/portico/tls.key", ""],
  ["stopDelay", "PORTICO_STOP_DELAY", 0, "5s", "61s"],
  ["dataDir", "PORTICO_DATA_DIR", "./data", "/srv/portico", ""],
  ["databaseUrl", "PORTICO_DATABASE_URL", null, "postgres://db/portico", "mysql://db/portico"],
  ["redisUrl", "PORTICO_REDIS_URL", null, "redis://cache", "http://cache"],
  ["blobs.kind", "PORTICO_BLOBS_KIND", "disk", "s3", "tape"],
  ["blobs.endpoint", "PORTICO_BLOBS_ENDPOINT", null, "https://s3.example.com", "s3.example.com"],
  ["blobs.bucket", "PORTICO_BLOBS_BUCKET", null, "portico", ""],
  ["blobs.region", "PORTICO_BLOBS_REGION", null, "eu-central-1", ""],
  ["blobs.accessKeyId", "PORTICO_BLOBS_ACCESS_KEY_ID", null, "AKIA", ""],
  ["blobs.secretAccessKey", "PORTICO_BLOBS_SECRET_ACCESS_KEY", null, "s3cret", ""],
  ["masterKey", "PORTICO_MASTER_KEY", [], HEX_KEY, HEX_KEY.slice(2)],
  ["provision", "PORTICO_PROVISION", null, "/srv/provision.json", ""],
  ["limits.perMinute", "PORTICO_LIMITS_PER_MINUTE", 6_000, "1", "0"],
  ["limits.perDay", "PORTICO_LIMITS_PER_DAY", 100_000, "1000000", "1e6"],
  ["limits.concurrent", "PORTICO_LIMITS_CONCURRENT", 20, "21", "many"],
  ["limits.fileKeyTtl", "PORTICO_LIMITS_FILE_KEY_TTL", 600 * SECOND, "10m", "10"],
  ["limits.connections", "PORTICO_LIMITS_CONNECTIONS", 10_000, "20000", "9"],
  ["limits.bodyBytes", "PORTICO_LIMITS_BODY_BYTES", 64 * 1024 * 1024, "4194304", "4194303"],
  ["limits.bodyTimeout", "PORTICO_LIMITS_BODY_TIMEOUT", 15 * SECOND, "1m", "0s"],
  ["limits.headTimeout", "PORTICO_LIMITS_HEAD_TIMEOUT", 15 * SECOND, "5s", "2h"],
  ["limits.nonceTtl", "PORTICO_LIMITS_NONCE_TTL", 300 * SECOND, "5m", "11m"],
  ["limits.timestampWindow", "PORTICO_LIMITS_TIMESTAMP_WINDOW", 300 * SECOND, "5m", "-5m"],
  ["limits.credentialGrace", "PORTICO_LIMITS_CREDENTIAL_GRACE", 24 * HOUR, "0s", "1y"],
  ["limits.miniappCodeTtl", "PORTICO_LIMITS_MINIAPP_CODE_TTL", 120 * SECOND, "2m", "2 m"],
  ["limits.memberMessagesPerMinute", "PORTICO_LIMITS_MEMBER_MESSAGES_PER_MINUTE", 6_000, "1", "0"],
  ["limits.visitorMessagesPerMinute", "PORTICO_LIMITS_VISITOR_MESSAGES_PER_MINUTE", 600, "1", "1.5"],
  ["limits.memberBytesPerHour", "PORTICO_LIMITS_MEMBER_BYTES_PER_HOUR", 512 * MIB, "1GiB", "1GB"],
  ["limits.visitorBytesPerHour", "PORTICO_LIMITS_VISITOR_BYTES_PER_HOUR", 64 * MIB, "65536", "64 MiB"],
  ["limits.anonymousAddressBytesPerHour", "PORTICO_LIMITS_ANONYMOUS_ADDRESS_BYTES_PER_HOUR", 128 * MIB, "1MiB", "1MB"],
  ["limits.anonymousAppBytesPerHour", "PORTICO_LIMITS_ANONYMOUS_APP_BYTES_PER_HOUR", 1_024 * MIB, "4GiB", "0"],
  ["limits.appBytesPerHour", "PORTICO_LIMITS_APP_BYTES_PER_HOUR", 10_240 * MIB, "1TiB", "0"],
  ["limits.memberBytesPerSecond", "PORTICO_LIMITS_MEMBER_BYTES_PER_SECOND", 8 * MIB, "2MiB", "1MiB"],
  ["limits.visitorBytesPerSecond", "PORTICO_LIMITS_VISITOR_BYTES_PER_SECOND", 4 * MIB, "16MiB", "2MB"],
  ["limits.appBytesPerSecond", "PORTICO_LIMITS_APP_BYTES_PER_SECOND", 64 * MIB, "1GiB", "0"],
  ["limits.diskReserve", "PORTICO_LIMITS_DISK_RESERVE", null, "0", "5%"],
  ["console.accessTokenTtl", "PORTICO_CONSOLE_ACCESS_TOKEN_TTL", 7200 * SECOND, "2h", "two hours"],
  ["console.refreshTtl", "PORTICO_CONSOLE_REFRESH_TTL", 30 * DAY, "30d", "30D"],
  ["console.qrTtl", "PORTICO_CONSOLE_QR_TTL", 120 * SECOND, "120s", ""],
  ["signIn.requireSecondFactor", "PORTICO_SIGN_IN_REQUIRE_SECOND_FACTOR", "none", "operators", "everyone"],
  ["signIn.passwordMinLength", "PORTICO_SIGN_IN_PASSWORD_MIN_LENGTH", 8, "15", "7"],
  ["oidc.allowNetworks", "PORTICO_OIDC_ALLOW_NETWORKS", [], "10.0.0.0/8", "10.0.0.1"],
  ["oidc.members.issuer", "PORTICO_OIDC_MEMBERS_ISSUER", null, "https://id.example.com", "http://id.example.com"],
  ["oidc.members.clientId", "PORTICO_OIDC_MEMBERS_CLIENT_ID", null, "portico", ""],
  ["oidc.members.clientSecret", "PORTICO_OIDC_MEMBERS_CLIENT_SECRET", null, "s3cret", ""],
  ["oidc.members.name", "PORTICO_OIDC_MEMBERS_NAME", null, "Acme", ""],
  ["oidc.members.scopes", "PORTICO_OIDC_MEMBERS_SCOPES", null, "openid profile", "profile"],
  ["oidc.members.claims.username", "PORTICO_OIDC_MEMBERS_CLAIMS_USERNAME", "preferred_username", "email", ""],
  ["oidc.members.claims.name", "PORTICO_OIDC_MEMBERS_CLAIMS_NAME", "name", "nickname", ""],
  ["oidc.members.claims.phone", "PORTICO_OIDC_MEMBERS_CLAIMS_PHONE", "phone_number", "mobile", ""],
  ["oidc.members.tenants", "PORTICO_OIDC_MEMBERS_TENANTS", [], "t_acme, t_other", "t_acme,,"],
  ["oidc.members.link", "PORTICO_OIDC_MEMBERS_LINK", "false", "true", "yes"],
  ["oidc.members.create", "PORTICO_OIDC_MEMBERS_CREATE", "false", "true", "yes"],
  ["oidc.members.only", "PORTICO_OIDC_MEMBERS_ONLY", "false", "true", "yes"],
  ["oidc.members.clockTolerance", "PORTICO_OIDC_MEMBERS_CLOCK_TOLERANCE", 30_000, "2m", "11m"],
  ["oidc.developers.issuer", "PORTICO_OIDC_DEVELOPERS_ISSUER", null, "https://id.example.com", "http://id.example.com"],
  ["oidc.developers.clientId", "PORTICO_OIDC_DEVELOPERS_CLIENT_ID", null, "portico", ""],
  ["oidc.developers.clientSecret", "PORTICO_OIDC_DEVELOPERS_CLIENT_SECRET", null, "s3cret", ""],
  ["oidc.developers.name", "PORTICO_OIDC_DEVELOPERS_NAME", null, "Acme", ""],
  ["oidc.developers.scopes", "PORTICO_OIDC_DEVELOPERS_SCOPES", null, "openid profile", "profile"],
  ["oidc.developers.claims.username", "PORTICO_OIDC_DEVELOPERS_CLAIMS_USERNAME", "preferred_username", "email", ""],
  ["oidc.developers.claims.name", "PORTICO_OIDC_DEVELOPERS_CLAIMS_NAME", "name", "nickname", ""],
  ["oidc.developers.claims.phone", "PORTICO_OIDC_DEVELOPERS_CLAIMS_PHONE", "phone_number", "mobile", ""],
  ["oidc.developers.operatorClaim", "PORTICO_OIDC_DEVELOPERS_OPERATOR_CLAIM", null, "groups=ops", "ops"],
  ["oidc.developers.operatorClaimLife", "PORTICO_OIDC_DEVELOPERS_OPERATOR_CLAIM_LIFE", 8 * HOUR, "30m", "59s"],
  ["oidc.developers.link", "PORTICO_OIDC_DEVELOPERS_LINK", "false", "true", "yes"],
  ["oidc.developers.create", "PORTICO_OIDC_DEVELOPERS_CREATE", "false", "true", "yes"],
  ["oidc.developers.only", "PORTICO_OIDC_DEVELOPERS_ONLY", "false", "true", "yes"],
  ["oidc.developers.clockTolerance", "PORTICO_OIDC_DEVELOPERS_CLOCK_TOLERANCE", 30_000, "2m", "11m"],
  ["scim.groupsAsConversations", "PORTICO_SCIM_GROUPS_AS_CONVERSATIONS", "false", "true", "yes"],
  [
    "webhook.retryDelays",
    "PORTICO_WEBHOOK_RETRY_DELAYS",
    [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR],
    "10s,30s",
    "10s,,30s",
  ],
  ["webhook.connectTimeout", "PORTICO_WEBHOOK_CONNECT_TIMEOUT", 3 * SECOND, "500ms", "0s"],
  ["webhook.readTimeout", "PORTICO_WEBHOOK_READ_TIMEOUT", 8 * SECOND, "8s", "8000"],
  ["webhook.circuit.window", "PORTICO_WEBHOOK_CIRCUIT_WINDOW", 10 * SECOND, "10s", "0"],
  ["webhook.circuit.minimum", "PORTICO_WEBHOOK_CIRCUIT_MINIMUM", 5, "5", "5.5"],
  ["webhook.circuit.failureRate", "PORTICO_WEBHOOK_CIRCUIT_FAILURE_RATE", 0.5, "0.25", "1.5"],
  ["webhook.circuit.openFor", "PORTICO_WEBHOOK_CIRCUIT_OPEN_FOR", 30 * SECOND, "1m", "1min"],
  ["webhook.allowNetworks", "PORTICO_WEBHOOK_ALLOW_NETWORKS", [], "10.0.0.0/8,fd00::/8", "10.0.0.0/33"],
  ["webhook.allowLoopback", "PORTICO_WEBHOOK_ALLOW_LOOPBACK", "false", "true", "yes"],
  ["webhook.concurrencyPerApp", "PORTICO_WEBHOOK_CONCURRENCY_PER_APP", 20, "1", "0"],
  ["webhook.socketHold", "PORTICO_WEBHOOK_SOCKET_HOLD", 24 * HOUR, "1h", "1"],
  ["webhook.socketHeartbeat", "PORTICO_WEBHOOK_SOCKET_HEARTBEAT", 30 * SECOND, "10s", "0s"],
  ["retention.requests", "PORTICO_RETENTION_REQUESTS", 7 * DAY, "1d", "1s"],
  ["retention.deliveries", "PORTICO_RETENTION_DELIVERIES", 30 * DAY, "90d", "forever"],
  ["retention.audit", "PORTICO_RETENTION_AUDIT", 3_650 * DAY, "730d", "1h"],
  ["web.imageProxy", "PORTICO_WEB_IMAGE_PROXY", "false", "true", "yes"],
  ["web.imageNetworks", "PORTICO_WEB_IMAGE_NETWORKS", [], "10.0.0.0/8", "10.0.0.1"],
  ["metrics.port", "PORTICO_METRICS_PORT", null, "9100", "65536"],
  ["metrics.token", "PORTICO_METRICS_TOKEN", null, "collector-of-metrics", "short"],
  ["log.format", "PORTICO_LOG_FORMAT", "json", "pretty", "text"],
  ["logLevel", "PORTICO_LOG_LEVEL", "info", "debug", "verbose"],
];

const MEMBERS_PROVIDER = {
  PORTICO_OIDC_MEMBERS_ISSUER: "https://id.example.com",
  PORTICO_OIDC_MEMBERS_CLIENT_ID: "portico",
  PORTICO_OIDC_MEMBERS_TENANTS: "t_acme",
};
const DEVELOPERS_PROVIDER = {
  PORTICO_OIDC_DEVELOPERS_ISSUER: "https://id.example.com",
  PORTICO_OIDC_DEVELOPERS_CLIENT_ID: "portico",
};

/** Other settings that a value requires. */
const COMPANIONS: Record<string, Record<string, string>> = {
  databaseUrl: { PORTICO_REDIS_URL: "redis://cache", PORTICO_MASTER_KEY: HEX_KEY },
  redisUrl: { PORTICO_DATABASE_URL: "postgres://db/portico", PORTICO_MASTER_KEY: HEX_KEY },
  "tls.certFile": { PORTICO_TLS_KEY_FILE: "/etc/portico/tls.key" },
  "tls.keyFile": { PORTICO_TLS_CERT_FILE: "/etc/portico/tls.crt" },
  "oidc.members.issuer": { PORTICO_OIDC_MEMBERS_CLIENT_ID: "portico", PORTICO_OIDC_MEMBERS_TENANTS: "t_acme" },
  "oidc.members.clientId": {
    PORTICO_OIDC_MEMBERS_ISSUER: "https://id.example.com",
    PORTICO_OIDC_MEMBERS_TENANTS: "t_acme",
  },
  "oidc.developers.issuer": { PORTICO_OIDC_DEVELOPERS_CLIENT_ID: "portico" },
  "oidc.developers.clientId": { PORTICO_OIDC_DEVELOPERS_ISSUER: "https://id.example.com" },
  "oidc.members.link": MEMBERS_PROVIDER,
  "oidc.members.create": MEMBERS_PROVIDER,
  "oidc.members.only": MEMBERS_PROVIDER,
  "oidc.developers.link": DEVELOPERS_PROVIDER,
  "oidc.developers.create": DEVELOPERS_PROVIDER,
  "oidc.developers.only": DEVELOPERS_PROVIDER,
  "blobs.kind": {
    PORTICO_BLOBS_ENDPOINT: "https://s3.example.com",
    PORTICO_BLOBS_BUCKET: "portico",
    PORTICO_BLOBS_REGION: "eu-central-1",
    PORTICO_BLOBS_ACCESS_KEY_ID: "AKIA",
    PORTICO_BLOBS_SECRET_ACCESS_KEY: "s3cret",
  },
};

/** Asserts that `env` is refused with a message that names each of `named`. */
function assertRefused(env: Record<string, string>, ...named: string[]): void {
  assert.throws(
    () => loadConfig(env),
    (error) => {
      assert.ok(error instanceof ConfigError, String(error));
      for (const name of named) assert.ok(error.message.includes(name), error.message);
      return true;
    },
  );
}

describe("configuration keys", () => {
  for (const [key, variable, byDefault, correct, wrong] of TABLE) {
    test(`${key} is ${JSON.stringify(byDefault)} by default`, () => {
      assert.deepEqual(KEYS[key][1], byDefault);
    });
    test(`${variable} sets ${key}`, () => {
      loadConfig({ ...COMPANIONS[key], [variable]: correct });
    });
    test(`${variable}=${wrong} is refused with a message naming it`, () => {
      assertRefused({ ...COMPANIONS[key], [variable]: wrong }, variable);
    });
  }
  for (const name of ["ONLY", "LINK", "CREATE"]) {
    for (const people of ["MEMBERS", "DEVELOPERS"]) {
      test(`${name} of ${people} without a provider is refused`, () => {
        const variable = `PORTICO_OIDC_${people}_${name}`;
        assertRefused({ [variable]: "true" }, variable, `PORTICO_OIDC_${people}_ISSUER`);
        loadConfig({ [variable]: "false" });
      });
    }
  }
  test("these are all keys", () => {
    assert.deepEqual(
      Object.keys(KEYS),
      TABLE.map(([key]) => key),
    );
  });
  test("an empty configuration has the defaults", () => {
    const { dataDir, limits, ...rest } = loadConfig({});
    assert.equal(dataDir, resolve("data"));
    const { perMinute, perDay, concurrent, nonceTtlMs, timestampWindowMs, credentialGraceMs } = limits;
    assert.deepEqual(
      { perMinute, perDay, concurrent, nonceTtlMs, timestampWindowMs, credentialGraceMs },
      {
        perMinute: 6_000,
        perDay: 100_000,
        concurrent: 20,
        nonceTtlMs: 300_000,
        timestampWindowMs: 300_000,
        credentialGraceMs: DAY,
      },
    );
    const expected: Partial<Config> = {
      port: 8080,
      host: "127.0.0.1",
      environment: "test",
      baseUrl: null,
      consoleUrl: null,
      distributed: null,
      masterKeys: [],
      masterKeyFile: null,
      provision: null,
      logLevel: "info",
    };
    assert.deepEqual({ ...rest, ...expected }, rest);
    assert.equal(rest.retention.requestsMs, 7 * DAY);
  });
  for (const wrong of ["0.0.0.0/0", "10.0.0.0/8,::/0", "::ffff:0:0/96", "10/8", "0x0a.0.0.0/8", "fe80::%eth0/10"]) {
    test(`${wrong} is not a valid network of proxies`, () => {
      assertRefused({ PORTICO_TRUSTED_PROXIES: wrong }, "PORTICO_TRUSTED_PROXIES", "CIDR");
    });
  }
  test("callbacks of this machine cannot be allowed in production", () => {
    const [key, environment] = ["PORTICO_WEBHOOK_ALLOW_LOOPBACK", "PORTICO_ENVIRONMENT"];
    assert.equal(loadConfig({ [key]: "true" }).webhook.allowLoopback, true);
    assert.equal(loadConfig({ [key]: "false", [environment]: "production" }).webhook.allowLoopback, false);
    assertRefused({ [key]: "true", [environment]: "production" }, key, "test environment");
  });
  test("values of the environment reach their keys", () => {
    const config = loadConfig({
      PATH: "/usr/bin",
      PORTICO_PORT: "81",
      PORTICO_HOST: "::1",
      PORTICO_ENVIRONMENT: "production",
      PORTICO_BASE_URL: "https://open.example.com/",
      PORTICO_CONSOLE_URL: "https://console.example.com",
      PORTICO_DATA_DIR: "/srv/portico",
      PORTICO_DATABASE_URL: "postgresql://db/portico",
      PORTICO_REDIS_URL: "rediss://cache",
      PORTICO_MASTER_KEY: HEX_KEY,
      PORTICO_PROVISION: "/srv/provision.json",
      PORTICO_LIMITS_PER_MINUTE: "1",
      PORTICO_LIMITS_PER_DAY: "2",
      PORTICO_LIMITS_CONCURRENT: "3",
      PORTICO_LIMITS_NONCE_TTL: "4s",
      PORTICO_LIMITS_TIMESTAMP_WINDOW: "5s",
      PORTICO_LIMITS_CREDENTIAL_GRACE: "6s",
      PORTICO_RETENTION_REQUESTS: "2m",
      PORTICO_LOG_LEVEL: "silent",
    });
    const { perMinute, perDay, concurrent, nonceTtlMs, timestampWindowMs, credentialGraceMs } = config.limits;
    assert.deepEqual(
      [perMinute, perDay, concurrent, nonceTtlMs, timestampWindowMs, credentialGraceMs],
      [1, 2, 3, 4_000, 5_000, 6_000],
    );
    assert.deepEqual(
      [config.port, config.host, config.environment, config.dataDir, config.provision, config.logLevel],
      [81, "::1", "production", "/srv/portico", "/srv/provision.json", "silent"],
    );
    assert.deepEqual(
      [config.baseUrl, config.consoleUrl],
      ["https://open.example.com", "https://console.example.com"],
      "addresses carry no trailing slash",
    );
    const redis = { kind: "single", url: "rediss://cache" };
    assert.deepEqual(config.distributed, { databaseUrl: "postgresql://db/portico", redis });
    assert.equal(config.masterKeys[0]?.toString("hex"), HEX_KEY);
    assert.equal(config.retention.requestsMs, 2 * MINUTE);
  });
});

describe("secrets in files", () => {
  const file = (t: TestContext, content: string) => {
    const folder = mkdtempSync(join(tmpdir(), "portico-test-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "secret");
    writeFileSync(path, content);
    return path;
  };
  test("are read without the line ends after them", (t) => {
    for (const end of ["", "\n", "\r\n"]) {
      const config = loadConfig({
        PORTICO_MASTER_KEY_FILE: file(t, `${HEX_KEY}${end}`),
        PORTICO_DATABASE_URL_FILE: file(t, `postgres://db/portico${end}`),
        PORTICO_REDIS_URL_FILE: file(t, `redis://cache${end}`),
        PORTICO_METRICS_TOKEN_FILE: file(t, `the-collector-of-metrics${end}`),
      });
      assert.equal(config.masterKeys[0]?.toString("hex"), HEX_KEY);
      assert.equal(config.distributed?.databaseUrl, "postgres://db/portico");
      assert.equal(config.metrics.token, "the-collector-of-metrics");
    }
  });
  test("exclude the variable with the secret itself", (t) => {
    const both = { PORTICO_MASTER_KEY: HEX_KEY, PORTICO_MASTER_KEY_FILE: file(t, HEX_KEY) };
    assertRefused(both, "PORTICO_MASTER_KEY and PORTICO_MASTER_KEY_FILE");
  });
  test("win over the configuration file", (t) => {
    const config = file(t, JSON.stringify({ masterKey: "0".repeat(64) }));
    const { masterKeys } = loadConfig({ PORTICO_CONFIG: config, PORTICO_MASTER_KEY_FILE: file(t, HEX_KEY) });
    assert.equal(masterKeys[0]?.toString("hex"), HEX_KEY);
  });
  test("are read again while they are files, and a pipe is not", (t) => {
    const path = file(t, HEX_KEY);
    assert.equal(loadConfig({ PORTICO_MASTER_KEY_FILE: path }).masterKeyFile, path);
    assert.equal(loadConfig({ PORTICO_MASTER_KEY: HEX_KEY }).masterKeyFile, null);
    const fifo = `${path}.fifo`;
    execFileSync("mkfifo", [fifo]);
    const writer = spawn("sh", ["-c", `printf %s ${HEX_KEY} > ${fifo}`]);
    t.after(() => writer.kill());
    const { masterKeys, masterKeyFile } = loadConfig({ PORTICO_MASTER_KEY_FILE: fifo });
    assert.deepEqual([masterKeys.length, masterKeyFile], [1, null]);
  });
  test("that cannot be read, or are no secrets, stop the start, and are not quoted", (t) => {
    assertRefused({ PORTICO_MASTER_KEY_FILE: "/nonexistent/key" }, "PORTICO_MASTER_KEY_FILE", "ENOENT");
    assertRefused({ PORTICO_MASTER_KEY_FILE: "/dev/zero" }, "PORTICO_MASTER_KEY_FILE", "too large");
    const wrong = file(t, "hunter2");
    assertRefused({ PORTICO_MASTER_KEY_FILE: wrong }, "PORTICO_MASTER_KEY_FILE", "32 bytes");
    assert.throws(
      () => loadConfig({ PORTICO_MASTER_KEY_FILE: wrong }),
      (error) => !String(error).includes("hunter2"),
    );
  });
  test("are the only ones that may be in a file", () => {
    assertRefused({ PORTICO_LOG_LEVEL_FILE: "/etc/level" }, "PORTICO_LOG_LEVEL_FILE");
  });
});

describe("a certificate", () => {
  const [cert, key] = ["PORTICO_TLS_CERT_FILE", "PORTICO_TLS_KEY_FILE"];
  test("needs its key, and the key its certificate", () => {
    assertRefused({ [cert]: "/etc/tls.crt" }, key);
    assertRefused({ [key]: "/etc/tls.key" }, cert);
    assert.deepEqual(loadConfig({ [cert]: "/etc/a", [key]: "/etc/b" }).tls, { certFile: "/etc/a", keyFile: "/etc/b" });
  });
});

describe("durations", () => {
  const graceOf = (text: string) => loadConfig({ PORTICO_LIMITS_CREDENTIAL_GRACE: text }).limits.credentialGraceMs;
  for (const [text, ms] of [
    ["500ms", 500],
    ["10s", 10 * SECOND],
    ["2m", 2 * MINUTE],
    ["24h", 24 * HOUR],
    ["30d", 30 * DAY],
    ["0s", 0],
    ["007s", 7 * SECOND],
  ] as const) {
    test(`${text} is ${ms} ms`, () => {
      assert.equal(graceOf(text), ms);
    });
  }
  for (const text of [
    "10",
    "-1s",
    "1y",
    "",
    "s",
    "1.5s",
    "1e3s",
    "1 s",
    " 1s",
    "1s ",
    "1S",
    "1s1s",
    "１s",
    "9999999999d",
  ]) {
    test(`${JSON.stringify(text)} is not a duration`, () => {
      assertRefused({ PORTICO_LIMITS_CREDENTIAL_GRACE: text }, "PORTICO_LIMITS_CREDENTIAL_GRACE");
    });
  }
});

describe("the master key", () => {
  const bytes = Buffer.from(HEX_KEY, "hex");
  for (const [how, text] of [
    ["64 hex digits", HEX_KEY],
    ["64 hex digits in upper case", HEX_KEY.toUpperCase()],
    ["base64", bytes.toString("base64")],
    ["base64url", Buffer.alloc(32, 0xfb).toString("base64url")],
  ] as const) {
    test(`it may be given as ${how}`, () => {
      assert.equal(loadConfig({ PORTICO_MASTER_KEY: text }).masterKeys[0]?.length, 32);
    });
  }
  for (const [how, between] of [
    ["line ends", "\n"],
    ["commas", ", "],
    ["blanks", " "],
  ] as const) {
    test(`earlier ones come after the current one, separated by ${how}`, () => {
      const keys = [HEX_KEY, "ab".repeat(32), bytes.toString("base64")];
      const { masterKeys } = loadConfig({ PORTICO_MASTER_KEY: keys.join(between) });
      assert.deepEqual(
        masterKeys.map((key) => key.toString("hex")),
        [HEX_KEY, "ab".repeat(32), HEX_KEY],
      );
    });
  }
  for (const [what, text] of [
    ["nothing", ""],
    ["five keys", Array(5).fill(HEX_KEY).join(",")],
    ["a key and half a one", `${HEX_KEY},${HEX_KEY.slice(32)}`],
    ["63 hex digits", HEX_KEY.slice(1)],
    ["66 hex digits", `${HEX_KEY}00`],
    ["31 bytes in base64", bytes.subarray(1).toString("base64")],
    ["33 bytes in base64", Buffer.concat([bytes, Buffer.of(1)]).toString("base64")],
    ["a password", "correct horse battery staple"],
    [
      "a sentence that happens to hold as many letters as a key",
      "this is no key but it holds as many letters as one, alas",
    ],
  ] as const) {
    test(`${what} is not a valid master key, and is not shown in the error`, () => {
      assertRefused({ PORTICO_MASTER_KEY: text }, "PORTICO_MASTER_KEY");
      if (text === "") return;
      assert.throws(
        () => loadConfig({ PORTICO_MASTER_KEY: text }),
        (error) => error instanceof ConfigError && !error.message.includes(text),
      );
    });
  }
});

describe("distributed or embedded", () => {
  const databaseUrl = { PORTICO_DATABASE_URL: "postgres://db/portico" };
  const redisUrl = { PORTICO_REDIS_URL: "redis://cache" };
  test("a database without Redis is refused, naming what is missing", () => {
    assertRefused({ ...databaseUrl, PORTICO_MASTER_KEY: HEX_KEY }, "PORTICO_REDIS_URL");
  });
  test("Redis without a database is refused, naming what is missing", () => {
    assertRefused({ ...redisUrl, PORTICO_MASTER_KEY: HEX_KEY }, "PORTICO_DATABASE_URL");
  });
  test("both without a master key are refused, naming it", () => {
    assertRefused({ ...databaseUrl, ...redisUrl }, "PORTICO_MASTER_KEY");
  });
});

describe("unknown variables", () => {
  for (const name of [
    "PORTICO_PROT",
    "PORTICO_",
    "PORTICO_LIMITS",
    "PORTICO_LIMITS_PERMINUTE",
    "PORTICO_LIMITS_FILEKEYTTL",
    "PORTICO_limits_perMinute",
    "PORTICO_TEST",
    "PORTICO_CONFIG_FILE",
    "PORTICO___PROTO__",
  ]) {
    test(`${name} is refused by its name`, () => {
      assertRefused({ [name]: "1" }, name);
    });
  }
  test("PORTICO_TEST_ variables and those of other programs are ignored", () => {
    assert.deepEqual(
      loadConfig({
        PORTICO_TEST_REDIS_URL: "?",
        PORTICO_TEST_ANYTHING: "",
        PORTICOX: "1",
        portico_port: "1",
        PORT: "1",
      }),
      loadConfig({}),
    );
  });
});

describe("the configuration file", () => {
  const folder = mkdtempSync(join(tmpdir(), "portico-config-"));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "portico.json");
  const withFile = (json: unknown, env: Record<string, string> = {}) => {
    writeFileSync(file, typeof json === "string" ? json : JSON.stringify(json));
    return { PORTICO_CONFIG: file, ...env };
  };

  test("it sets keys, nested or by full path, with numbers and lists in JSON", () => {
    const config = loadConfig(
      withFile({
        port: 81,
        logLevel: "warn",
        limits: { perMinute: 7, nonceTtl: "10s" },
        "limits.perDay": "8",
        webhook: { retryDelays: ["1s", "2s"], circuit: { failureRate: 0.25, minimum: 3 }, allowNetworks: [] },
      }),
    );
    assert.deepEqual([config.port, config.logLevel], [81, "warn"]);
    assert.deepEqual([config.limits.perMinute, config.limits.perDay, config.limits.nonceTtlMs], [7, 8, 10_000]);
  });
  test("the environment takes precedence over it", () => {
    const config = loadConfig(
      withFile(
        { port: 81, host: "::1", limits: { perMinute: 7 } },
        { PORTICO_PORT: "82", PORTICO_LIMITS_PER_MINUTE: "9" },
      ),
    );
    assert.deepEqual([config.port, config.host, config.limits.perMinute], [82, "::1", 9]);
  });
  test("an empty object sets nothing", () => {
    assert.deepEqual(loadConfig(withFile({ limits: {} })), loadConfig({}));
  });
  for (const [what, json, named] of [
    ["an unknown key", { prot: 81 }, "prot"],
    ["an unknown key in a known group", { limits: { perHour: 1 } }, "limits.perHour"],
    ["an unknown group", { limit: { perMinute: 1 } }, "limit"],
    ["an unknown, empty group", { limit: {} }, "limit"],
    ["a value where a group should be", { limits: 5 }, "limits"],
    ["a group where a value should be", { port: { number: 81 } }, "port"],
    ["a wrong value", { limits: { nonceTtl: 300 } }, "limits.nonceTtl"],
    ["null", { host: null }, "host"],
    ["a list that holds a wrong value", { webhook: { retryDelays: ["1s", 2] } }, "webhook.retryDelays"],
    ["__proto__", '{"__proto__":{"port":1}}', "__proto__"],
  ] as const) {
    test(`the file holding ${what} is refused with a message naming file and key`, () => {
      assertRefused(withFile(json), file, named);
    });
  }
  for (const [what, json] of [
    ["no JSON", "port = 81"],
    ["empty", ""],
    ["a list", [1]],
    ["a text", '"text"'],
    ["null", "null"],
  ] as const) {
    test(`a file that is ${what} is refused with a message naming it`, () => {
      assertRefused(withFile(json), file);
    });
  }
  test("a missing file is refused with a message naming it and its variable", () => {
    assertRefused({ PORTICO_CONFIG: join(folder, "missing.json") }, "PORTICO_CONFIG", "missing.json");
  });
});
