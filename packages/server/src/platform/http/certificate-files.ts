import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext, type Server } from "node:tls";
import type { Logger } from "pino";
import type { Clock } from "../clock/clock.ts";
import { ConfigError } from "../config/config-error.ts";

/** A changed pair is in force after at most this time. */
const CHECK_EVERY_MS = 5_000;
/** From this time before its end on, the log mentions a certificate. */
const ENDS_SOON_MS = 14 * 86_400_000;
const MENTION_EVERY_MS = 86_400_000;

/** What holds whatever the certificate is. */
export const TLS = { minVersion: "TLSv1.2" } as const;

/** A certificate chain and its key, as `node:tls` takes them. */
export interface KeyPair {
  cert: Buffer;
  key: Buffer;
}

/** The paths of the PEM files. */
interface Paths {
  certFile: string;
  keyFile: string;
}

/**
 * The PEM files of a certificate chain and its key. What replaces them, as an ACME client does every few weeks, is used
 * for new connections; a pair that is broken or half written leaves the last good one in force.
 */
export class CertificateFiles {
  readonly #paths: Paths;
  readonly #clock: Clock;
  readonly #log: Logger;
  #pair: KeyPair;
  /** Why the files were last refused; null when they are in force. */
  #refusal: string | null = null;
  /** When the end of the certificate was last mentioned, on the monotonic clock. */
  #mentionedAt = Number.NEGATIVE_INFINITY;

  private constructor(paths: Paths, pair: KeyPair, clock: Clock, log: Logger) {
    this.#paths = paths;
    this.#pair = pair;
    this.#clock = clock;
    this.#log = log;
  }

  /** @throws ConfigError when they cannot be read, or are not a certificate and its key. */
  static async open(paths: Paths, clock: Clock, log: Logger): Promise<CertificateFiles> {
    try {
      return new CertificateFiles(paths, checked(await readPair(paths)), clock, log);
    } catch (error) {
      throw new ConfigError(
        `PORTICO_TLS_CERT_FILE and PORTICO_TLS_KEY_FILE: ${messageOf(error)}: name a certificate chain and its key, ` +
          "both in PEM, that this user may read",
      );
    }
  }

  get pair(): KeyPair {
    return this.#pair;
  }

  /** When the certificate in force ends, in epoch milliseconds. */
  get endsAt(): number {
    return leafOf(this.#pair).validToDate.getTime();
  }

  /** Gives `server` what the files contain, while it listens. */
  keepCurrent(server: Server): void {
    this.#mentionEnd();
    const timer = setInterval(() => void this.reload(server), CHECK_EVERY_MS);
    timer.unref();
    server.once("close", () => clearInterval(timer));
  }

  /** Reads the files once, and uses them if they have changed and are good. Never rejects. */
  async reload(server: Pick<Server, "setSecureContext">): Promise<void> {
    try {
      const pair = await readPair(this.#paths);
      if (!isSame(pair, this.#pair)) {
        server.setSecureContext({ ...TLS, ...checked(pair) });
        this.#pair = pair;
        this.#mentionedAt = Number.NEGATIVE_INFINITY;
        this.#log.info({ validTo: leafOf(pair).validTo }, "the TLS certificate has changed: new connections use it");
      }
      this.#refusal = null;
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== this.#refusal) {
        this.#log.error({ reason }, "the TLS files cannot be used as they are now: the last good pair stays in force");
      }
      this.#refusal = reason;
    }
    this.#mentionEnd();
  }

  #mentionEnd(): void {
    const { validToDate } = leafOf(this.#pair);
    const now = this.#clock.monotonic();
    if (validToDate.getTime() - this.#clock.now() > ENDS_SOON_MS || now - this.#mentionedAt < MENTION_EVERY_MS) return;
    this.#mentionedAt = now;
    this.#log.warn(
      { validTo: validToDate.toISOString() },
      "the TLS certificate ends soon, or has ended: replace its files",
    );
  }
}

async function readPair({ certFile, keyFile }: Paths): Promise<KeyPair> {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  return { cert, key };
}

/** @throws when the certificate and the key do not belong together, or OpenSSL refuses them. */
function checked(pair: KeyPair): KeyPair {
  if (!leafOf(pair).checkPrivateKey(createPrivateKey(pair.key))) throw new Error("the key is not the certificate's");
  createSecureContext({ ...TLS, ...pair });
  return pair;
}

/** The first certificate of the chain: the server's own. */
function leafOf({ cert }: Pick<KeyPair, "cert">): X509Certificate {
  return new X509Certificate(cert);
}

function isSame(one: KeyPair, other: KeyPair): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
