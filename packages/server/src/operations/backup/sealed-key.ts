import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import * as Type from "typebox";
import { Value } from "typebox/value";

/** The cost of a guess: 128 MiB and about half a second (RFC 7914; OWASP names 2^17, 8, 1). */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
/** Authenticated with the key, so that no other sealed text passes for one. */
const PURPOSE = Buffer.from("portico master key", "utf8");

const base64 = Type.String({ pattern: "^[A-Za-z0-9+/]+={0,2}$", maxLength: 256 });
const SealedKeySchema = Type.Object({
  cost: Type.Object({ N: Type.Literal(COST.N), r: Type.Literal(COST.r), p: Type.Literal(COST.p) }),
  salt: base64,
  iv: base64,
  tag: base64,
  sealed: base64,
});

/**
 * A master key, or several of 32 bytes in a row, encrypted under a passphrase: AES-256-GCM, its key derived by scrypt. Binary
 * parts are base64.
 */
export type SealedKey = Type.Static<typeof SealedKeySchema>;

/** The passphrase is not the one that the key was sealed with. */
export class WrongPassphrase extends Error {
  override readonly name = "WrongPassphrase";
}

/** Encrypts the keys for a backup, the current one first. */
export async function sealKeys(masterKeys: readonly Buffer[], passphrase: string): Promise<SealedKey> {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)];
  const cipher = createCipheriv("aes-256-gcm", await derive(passphrase, salt), iv);
  cipher.setAAD(PURPOSE);
  const sealed = Buffer.concat([cipher.update(Buffer.concat(masterKeys)), cipher.final()]);
  const parts = { salt, iv, tag: cipher.getAuthTag(), sealed };
  const [saltText, ivText, tagText, sealedText] = Object.values(parts).map((part) => part.toString("base64"));
  return { cost: COST, salt: saltText ?? "", iv: ivText ?? "", tag: tagText ?? "", sealed: sealedText ?? "" };
}

/**
 * Decrypts what {@link sealKeys} made.
 *
 * @param sealed JSON as found in a backup.
 * @returns null when it is no sealed key.
 * @throws WrongPassphrase
 */
export async function openKeys(sealed: unknown, passphrase: string): Promise<Buffer[] | null> {
  if (!Value.Check(SealedKeySchema, sealed)) return null;
  const bytes = (text: string) => Buffer.from(text, "base64");
  const decipher = createDecipheriv("aes-256-gcm", await derive(passphrase, bytes(sealed.salt)), bytes(sealed.iv));
  try {
    decipher.setAAD(PURPOSE).setAuthTag(bytes(sealed.tag));
    return keysIn(Buffer.concat([decipher.update(bytes(sealed.sealed)), decipher.final()]));
  } catch {
    throw new WrongPassphrase();
  }
}

function keysIn(bytes: Buffer): Buffer[] | null {
  if (bytes.length === 0 || bytes.length % KEY_BYTES !== 0) return null;
  return Array.from({ length: bytes.length / KEY_BYTES }, (_, index) =>
    bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES),
  );
}

function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(passphrase.normalize("NFKC"), salt, KEY_BYTES, { ...COST, maxmem: MAX_MEMORY_BYTES }, (error, key) => {
    if (error === null) resolve(key);
    else reject(error);
  });
  return promise;
}
