import { createSecretKey } from "node:crypto";
import { HmacKey } from "../../../platform/crypto/hmac-key.ts";
import type { SecretBox } from "../../../platform/crypto/secret-box.ts";
import { type Subscription, secretOwner } from "../subscription-store.ts";

/** The most decrypted secrets in memory; each takes a few hundred bytes. */
const MAX_OPENED = 1_000;

/**
 * Decrypted signing secrets of subscriptions, so that they are not decrypted for every delivery. A rotation makes a new
 * box, so an entry is never out of date.
 */
export class OpenedSecrets {
  readonly #secretBox: SecretBox;
  /** By box, least recently used first. */
  readonly #opened = new Map<string, HmacKey>();

  constructor(secretBox: SecretBox) {
    this.#secretBox = secretBox;
  }

  /** @throws Error when the box does not belong to this subscription. */
  secretOf({ appId, eventType, secretBox: box }: Subscription): HmacKey {
    const owner = secretOwner(appId, eventType);
    const key = `${owner}\n${box}`;
    const known = this.#opened.get(key);
    const secret = known ?? new HmacKey(createSecretKey(Buffer.from(this.#secretBox.open(box, owner), "utf8")));
    this.#opened.delete(key);
    this.#opened.set(key, secret);
    if (this.#opened.size > MAX_OPENED) this.#forgetOldest();
    return secret;
  }

  #forgetOldest(): void {
    for (const key of this.#opened.keys()) {
      this.#opened.delete(key);
      return;
    }
  }
}
