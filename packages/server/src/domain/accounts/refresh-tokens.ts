import { hash, randomBytes } from "node:crypto";
import type { Fingerprinter, SecretBox } from "../../platform/crypto/secret-box.ts";

/**
 * A refresh token is 64 characters of Base64URL. The first part is random, names the login and never changes; the rest
 * changes with every rotation. So an old token can be recognised without storing any of them.
 */
const REFRESH_TOKEN = /^[\w-]{64}$/;
const NAME_BYTES = 18;
const NAME_LENGTH = (NAME_BYTES * 4) / 3;
const REST_LENGTH = 40;

/** The refresh tokens of one kind of account. */
export class RefreshTokens {
  readonly #fingerprint: Fingerprinter;

  /** @param purpose distinguishes the kinds: no login of one ever has a token of another. */
  constructor(secretBox: SecretBox, purpose: string) {
    this.#fingerprint = secretBox.fingerprinter(`${purpose} refresh token`);
  }

  /** A name for a new login. */
  static newName(): string {
    return randomBytes(NAME_BYTES).toString("base64url");
  }

  /** The name in a token; null for what is no token. */
  static nameIn(token: string): string | null {
    return REFRESH_TOKEN.test(token) ? token.slice(0, NAME_LENGTH) : null;
  }

  /**
   * The token of a login after so many rotations. It follows from the name and the master key, so it can be given again
   * while only its hash is stored; who has neither the key nor the token itself cannot find it, not even with an older one.
   */
  tokenOf(name: string, generation: number): string {
    return tokenWith(name, this.#fingerprint.of(textOf(name, generation)));
  }

  /** The same, under each of the master keys: one that was given before a rotation of the key is among them. */
  tokensOf(name: string, generation: number): string[] {
    return this.#fingerprint.all(textOf(name, generation)).map((rest) => tokenWith(name, rest));
  }
}

const textOf = (name: string, generation: number) => `${generation} ${name}`;
const tokenWith = (name: string, fingerprint: string) => name + fingerprint.slice(0, REST_LENGTH);

/** Everything hashed here is random, so a hash without salt cannot be reversed by guessing. */
export function hashOfToken(token: string): string {
  return hash("sha256", token, "base64url");
}

/** An access token: 32 random bytes. */
export function newAccessToken(expiresAt: number): { token: string; hash: string; expiresAt: number } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashOfToken(token), expiresAt };
}
