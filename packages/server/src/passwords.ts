import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { ApiError } from "@portico/protocol";

const argon2 = promisify(argon2Callback);

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
/** Hashing runs in Node's worker threads, which file access and name resolution need too. */
const MAX_RUNNING = 2;
const MAX_WAITING = 64;

/** Hashes and checks passwords with Argon2id (RFC 9106), a bounded number at a time. */
export class PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #decoy = randomBytes(48).toString("base64");

  /** Waits its turn however many wait; for the operator's own start-up work. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const tag = await this.#tag(password, salt, Number.POSITIVE_INFINITY);
    return Buffer.concat([salt, tag]).toString("base64");
  }

  /**
   * Whether `password` is the one behind `hash`. A null hash takes as long and is never right, so that the time
   * taken does not tell which accounts exist.
   *
   * @throws ApiError 429001 when too many checks wait already.
   */
  async verify(password: string, hash: string | null): Promise<boolean> {
    const bytes = Buffer.from(hash ?? this.#decoy, "base64");
    const tag = await this.#tag(password, bytes.subarray(0, 16), MAX_WAITING);
    return timingSafeEqual(tag, bytes.subarray(16)) && hash !== null;
  }

  async #tag(password: string, salt: Buffer, maxWaiting: number): Promise<Buffer> {
    if (this.#running < MAX_RUNNING) {
      this.#running++;
    } else {
      if (this.#waiting.length >= maxWaiting)
        throw new ApiError("QUOTA_EXCEEDED", "登录请求过多", { retryAfterSeconds: 1 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await argon2("argon2id", { ...COST, message: Buffer.from(password, "utf8"), nonce: salt });
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
