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
const ID_BYTES = 8;
/** Of a box that names its key: base64 has no dot. */
const NAMED_BOX = /^([0-9a-f]{16})\.(.+)$/s;

/** Computes fingerprints for one purpose. */
export interface Fingerprinter {
  /** The fingerprint of a text under the key that seals. */
  of(text: string): string;
  /** Those under all keys, for what was given out before a rotation of the master key, or by a process that is behind. */
  all(text: string): string[];
}

/** Which of several master keys seals. */
export interface Sealing {
  /** By {@link keyIdOf}. */
  keyId: string;
  /** Whether boxes name their key: from the first rotation of a store on. */
  isNamed: boolean;
}

interface Key {
  id: string;
  object: KeyObject;
}

/** What a master key is called in public: it says nothing of the key. 16 hexadecimal digits. */
export function keyIdOf(masterKey: Buffer): string {
  return derive(createSecretKey(masterKey), "portico master key id", ID_BYTES).toString("hex");
}

/** The start of the boxes that name this key. */
export function boxPrefix(keyId: string): string {
  return `${keyId}.`;
}

/**
 * Encrypts secrets at rest with AES-256-GCM (NIST SP 800-38D) under one master key, and decrypts those under any that it
 * knows, so that a store can pass from one to the next while it is used.
 */
export class SecretBox {
  #keys: readonly Key[] = [];
  #sealing: Key;
  #isNamed = false;

  /** @param masterKeys at least one; the first seals until {@link use} says otherwise. */
  constructor(masterKeys: readonly Buffer[], sealing?: Sealing) {
    const [first] = masterKeys;
    if (first === undefined) throw new Error("a secret box needs a key");
    this.#sealing = keyOf(first);
    this.use(masterKeys, sealing ?? { keyId: this.#sealing.id, isNamed: false });
  }

  /**
   * Knows these keys from now on, and no others.
   *
   * @throws Error when the one that is to seal is not among them.
   */
  use(masterKeys: readonly Buffer[], { keyId, isNamed }: Sealing): void {
    const keys = masterKeys.map(keyOf);
    const sealing = keys.find(({ id }) => id === keyId);
    if (sealing === undefined) throw new Error(`the master key ${keyId} is not known`);
    this.#keys = [sealing, ...keys.filter((key) => key !== sealing)];
    this.#sealing = sealing;
    this.#isNamed = isNamed;
  }

  /**
   * Seals with another of its keys from now on, in boxes that name it.
   *
   * @throws Error when it is not known.
   */
  sealWith(keyId: string): void {
    const sealing = this.#keys.find(({ id }) => id === keyId);
    if (sealing === undefined) throw new Error(`the master key ${keyId} is not known`);
    this.#keys = [sealing, ...this.#keys.filter((key) => key !== sealing)];
    this.#sealing = sealing;
    this.#isNamed = true;
  }

  /** The id of the key that seals. */
  get sealingKeyId(): string {
    return this.#sealing.id;
  }

  /** Encrypts `secret`. `owner` is authenticated data: a box that is copied to another row cannot be opened. */
  seal(secret: string, owner: string): string {
    const box = sealUnder(this.#sealing.object, secret, owner);
    return this.#isNamed ? `${boxPrefix(this.#sealing.id)}${box}` : box;
  }

  /**
   * Decrypts a box.
   *
   * @throws Error when its master key is not known, or `owner` differs from that of the encryption.
   */
  open(box: string, owner: string): string {
    const [, keyId, rest = box] = NAMED_BOX.exec(box) ?? [];
    const keys = keyId === undefined ? this.#keys : this.#keys.filter(({ id }) => id === keyId);
    let failure: unknown = new Error(`the master key ${keyId} is not known`);
    for (const { object } of keys) {
      try {
        return openUnder(object, rest, owner);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /**
   * Creates functions that fingerprint texts (HMAC-SHA-256, RFC 2104). Equal texts have equal fingerprints; without the
   * master key a text cannot be guessed from its fingerprint, even when there are few candidates. Fingerprints for
   * different purposes cannot be compared.
   */
  fingerprinter(purpose: string): Fingerprinter {
    const derived = new WeakMap<Key, KeyObject>();
    const under = (key: Key, text: string) => {
      const known = derived.get(key) ?? createSecretKey(fingerprintKey(key.object, purpose));
      derived.set(key, known);
      return fingerprintUnder(known, text);
    };
    return {
      of: (text) => under(this.#sealing, text),
      all: (text) => this.#keys.map((key) => under(key, text)),
    };
  }

  /** The key of the fingerprints for a purpose, under the master key that seals: 32 bytes. */
  fingerprintKey(purpose: string): Buffer {
    return fingerprintKey(this.#sealing.object, purpose);
  }
}

/** The fingerprint of a text under a key: 43 characters of Base64URL. */
export function fingerprintUnder(key: KeyObject, text: string): string {
  return createHmac("sha256", key).update(text, "utf8").digest("base64url");
}

function keyOf(masterKey: Buffer): Key {
  return { id: keyIdOf(masterKey), object: createSecretKey(masterKey) };
}

function fingerprintKey(masterKey: KeyObject, purpose: string): Buffer {
  return derive(masterKey, `portico fingerprint: ${purpose}`, 32);
}

function derive(masterKey: KeyObject, info: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", masterKey, "", info, bytes));
}

function sealUnder(key: KeyObject, secret: string, owner: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(owner, "utf8"));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
}

function openUnder(key: KeyObject, box: string, owner: string): string {
  const bytes = Buffer.from(box, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner, "utf8"));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(opened).toString("utf8");
}
