import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets at rest with AES-256-GCM under the master key (NIST SP 800-38D). */
export class SecretBox {
  readonly #key: KeyObject;

  constructor(masterKey: Buffer) {
    this.#key = createSecretKey(masterKey);
  }

  /** Encrypts `secret`. `owner` is authenticated data: a box that is copied to another row cannot be opened. */
  seal(secret: string, owner: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv);
    cipher.setAAD(Buffer.from(owner, "utf8"));
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /**
   * Decrypts a box.
   *
   * @throws Error when the master key or `owner` differs from those of the encryption.
   */
  open(box: string, owner: string): string {
    const bytes = Buffer.from(box, "base64");
    const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(owner, "utf8"));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(opened).toString("utf8");
  }

  /**
   * Creates a function that fingerprints texts (HMAC-SHA-256, RFC 2104). Equal texts have equal fingerprints; without
   * the master key a text cannot be guessed from its fingerprint, even when there are few candidates. Fingerprints for
   * different purposes cannot be compared.
   */
  fingerprinter(purpose: string): (text: string) => string {
    const derived = hkdfSync("sha256", this.#key, "", `portico fingerprint: ${purpose}`, 32);
    const key = createSecretKey(Buffer.from(derived));
    return (text) => createHmac("sha256", key).update(text, "utf8").digest("base64url");
  }
}
