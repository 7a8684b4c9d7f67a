import type { DeveloperOidc, MemberOidc } from "./oidc-settings.ts";
import type { RedisAddress } from "./redis-address.ts";

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
  /** The PEM files of the certificate chain and its key; null: the service speaks http. */
  tls: { certFile: string; keyFile: string } | null;
  /** How long a process that is to stop goes on, while `/readyz` says so. */
  stopDelayMs: number;
  dataDir: string;
  /** Set in distributed mode, which needs both PostgreSQL and Redis. */
  distributed: { databaseUrl: string; redis: RedisAddress } | null;
  /** The master keys that are configured, the current one first; empty: they are in the data directory. */
  masterKeys: readonly Buffer[];
  /** The file that they come from, which the service reads again; null when the configuration itself has them. */
  masterKeyFile: string | null;
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
    anonymousAddressBytesPerHour: number;
    anonymousAppBytesPerHour: number;
    appBytesPerHour: number;
    memberBytesPerSecond: number;
    visitorBytesPerSecond: number;
    appBytesPerSecond: number;
    /** In bytes; null: derived from the size of the disk. */
    diskReserve: number | null;
  };
  console: { accessTokenTtlMs: number; refreshTtlMs: number; qrTtlMs: number };
  signIn: {
    /** Whom the service asks for a second factor who have not turned one on themselves. */
    requireSecondFactor: "none" | "operators" | "developers";
    /** Characters that a new password has at least. */
    passwordMinLength: number;
  };
  oidc: {
    /** Networks in CIDR notation where the providers may be, beside the public Internet. */
    allowNetworks: readonly string[];
    /** Null: members sign in with passwords alone. */
    members: MemberOidc | null;
    developers: DeveloperOidc | null;
  };
  scim: {
    /** Whether the groups of directories are conversations, too. */
    groupsAsConversations: boolean;
  };
  webhook: {
    retryDelaysMs: readonly number[];
    connectTimeoutMs: number;
    readTimeoutMs: number;
    circuit: { windowMs: number; minimum: number; failureRate: number; openForMs: number };
    allowNetworks: readonly string[];
    /** Whether callbacks of this machine may be called by http; only in the test environment. */
    allowLoopback: boolean;
    concurrencyPerApp: number;
    /** How long events wait while no socket is open. */
    socketHoldMs: number;
    /** How often open sockets are pinged. */
    socketHeartbeatMs: number;
  };
  retention: { requestsMs: number; deliveriesMs: number; auditMs: number };
  web: {
    /** Whether the service fetches the pictures that the messenger and the console show. */
    imageProxy: boolean;
    /** Networks in CIDR notation that pictures may be fetched from, beside the public Internet. */
    imageNetworks: readonly string[];
  };
  metrics: {
    /** Null: on the service's own port. */
    port: number | null;
    /** Who reads the metrics has to send this Bearer token; null: none. */
    token: string | null;
  };
  /** Where traces are sent, by OTLP over HTTP; null: nowhere. */
  tracing: {
    url: string;
    /** The share of traces that are sent. */
    ratio: number;
    /** Whether a caller's decision for its trace holds for the calls in it. */
    followsParent: boolean;
  } | null;
  log: { format: "json" | "pretty" };
  logLevel: string;
}
