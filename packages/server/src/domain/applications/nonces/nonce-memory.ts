import { hash, randomBytes } from "node:crypto";

/** Nonces are grouped by the minute in which they expire, and a group is dropped as a whole. */
const GENERATION_MS = 60_000;
const FIRST_CAPACITY = 1_024;
const MAX_LOAD = 0.6;
/** The hexadecimal digits of a fingerprint: 52 bits. */
const DIGITS = 13;

/**
 * Remembers used nonces as fingerprints, for the single process of an embedded service.
 *
 * A fingerprint is 52 bits of a keyed hash, so nobody can construct a collision. With a million nonces remembered, a
 * fresh nonce is mistaken for a used one about once in four thousand million calls; the caller then gets a 401 and must
 * sign again. A used nonce is never mistaken for a fresh one. A nonce takes 15 to 30 bytes.
 */
export class NonceMemory {
  readonly #key = randomBytes(16).toString("hex");
  readonly #generations = new Map<number, Generation>();

  /**
   * Remembers a nonce through `expiresAt`, to the second; false when it is remembered already and has not expired at
   * `now`. Times are epoch milliseconds.
   */
  add(appId: string, nonce: string, expiresAt: number, now: number): boolean {
    const fingerprint = this.#fingerprint(appId, nonce);
    for (const [minute, generation] of this.#generations) {
      const endsAt = generation.find(fingerprint);
      if (endsAt !== null && minute * GENERATION_MS + endsAt * 1_000 >= now) return false;
    }
    const minute = Math.floor(expiresAt / GENERATION_MS);
    let generation = this.#generations.get(minute);
    if (generation === undefined) {
      generation = new Generation();
      this.#generations.set(minute, generation);
    }
    generation.add(fingerprint, Math.ceil((expiresAt % GENERATION_MS) / 1_000));
    return true;
  }

  /** When the nonce expires, in epoch milliseconds, up to a second too late; null when it is not remembered. */
  endOf(appId: string, nonce: string, now: number): number | null {
    const fingerprint = this.#fingerprint(appId, nonce);
    for (const [minute, generation] of this.#generations) {
      const second = generation.find(fingerprint);
      if (second !== null && minute * GENERATION_MS + second * 1_000 >= now) {
        return minute * GENERATION_MS + second * 1_000;
      }
    }
    return null;
  }

  /** Drops nonces that expired before `passed`, to the minute. */
  forgetBefore(passed: number): void {
    for (const minute of this.#generations.keys()) {
      if ((minute + 1) * GENERATION_MS <= passed) this.#generations.delete(minute);
    }
  }

  #fingerprint(appId: string, nonce: string): number {
    // As hex, because a Buffer takes as long as the hash. 0 marks an empty slot.
    return Number.parseInt(hash("sha1", `${this.#key}${appId}\n${nonce}`, "hex").slice(0, DIGITS), 16) || 1;
  }
}

/** The fingerprints that expire within one minute: an open-addressing hash table in two typed arrays. */
class Generation {
  #fingerprints = new Float64Array(FIRST_CAPACITY);
  /** The second within the minute at which each one expires. */
  #seconds = new Uint8Array(FIRST_CAPACITY);
  #size = 0;

  /** The second within the minute at which `fingerprint` expires; null when it is not in the table. */
  find(fingerprint: number): number | null {
    const slot = this.#slotOf(fingerprint);
    return this.#fingerprints[slot] === fingerprint ? (this.#seconds[slot] ?? 0) : null;
  }

  add(fingerprint: number, second: number): void {
    const slot = this.#slotOf(fingerprint);
    if (this.#fingerprints[slot] === fingerprint) {
      this.#seconds[slot] = Math.max(second, this.#seconds[slot] ?? 0);
      return;
    }
    this.#fingerprints[slot] = fingerprint;
    this.#seconds[slot] = second;
    this.#size++;
    if (this.#size > this.#fingerprints.length * MAX_LOAD) this.#grow();
  }

  /** The slot of `fingerprint`, or the empty slot where it belongs. */
  #slotOf(fingerprint: number): number {
    const mask = this.#fingerprints.length - 1;
    let slot = fingerprint & mask;
    while (this.#fingerprints[slot] !== 0 && this.#fingerprints[slot] !== fingerprint) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [fingerprints, seconds] = [this.#fingerprints, this.#seconds];
    this.#fingerprints = new Float64Array(fingerprints.length * 2);
    this.#seconds = new Uint8Array(seconds.length * 2);
    for (const [index, fingerprint] of fingerprints.entries()) {
      if (fingerprint === 0) continue;
      const slot = this.#slotOf(fingerprint);
      this.#fingerprints[slot] = fingerprint;
      this.#seconds[slot] = seconds[index] ?? 0;
    }
  }
}
