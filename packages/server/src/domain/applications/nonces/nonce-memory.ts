import { hash, randomBytes } from "node:crypto";

/** Remembered nonces are kept apart by the minute in which they end, and forgotten a minute's worth at a time. */
const GENERATION_MS = 60_000;
const FIRST_CAPACITY = 1_024;
const MAX_LOAD = 0.6;

/**
 * Remembers which nonces have been used, as fingerprints, for the one process of an embedded service.
 *
 * A fingerprint is 53 bits of a keyed hash, so nobody can make two that meet. With a million nonces remembered, a
 * fresh one is mistaken for a used one about once in ten thousand million calls; its caller sees a 401 and would have
 * to sign again. A used one is never mistaken for a fresh one. A nonce takes 15 to 30 bytes.
 */
export class NonceMemory {
  readonly #key = randomBytes(16).toString("hex");
  readonly #generations = new Map<number, Generation>();

  /**
   * Remembers a nonce until `expiresAt`, to the second; false when it is remembered already and alive at `now`. Times
   * are epoch milliseconds.
   */
  add(appId: string, nonce: string, expiresAt: number, now: number): boolean {
    const fingerprint = this.#fingerprint(appId, nonce);
    for (const [minute, generation] of this.#generations) {
      const endsAt = generation.find(fingerprint);
      if (endsAt !== null && minute * GENERATION_MS + endsAt * 1_000 > now) return false;
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

  /** Until when the nonce is remembered, in epoch milliseconds, up to a second too late; null when it is not. */
  endOf(appId: string, nonce: string, now: number): number | null {
    const fingerprint = this.#fingerprint(appId, nonce);
    for (const [minute, generation] of this.#generations) {
      const second = generation.find(fingerprint);
      if (second !== null && minute * GENERATION_MS + second * 1_000 > now) {
        return minute * GENERATION_MS + second * 1_000;
      }
    }
    return null;
  }

  /** Forgets nonces that ended before `passed`, to the minute. */
  forgetBefore(passed: number): void {
    for (const minute of this.#generations.keys()) {
      if ((minute + 1) * GENERATION_MS <= passed) this.#generations.delete(minute);
    }
  }

  #fingerprint(appId: string, nonce: string): number {
    const digest = hash("sha1", `${this.#key}${appId}\n${nonce}`, "buffer");
    // Zero marks an empty slot.
    return (digest.readUInt32BE(0) >>> 11) * 2 ** 32 + digest.readUInt32BE(4) || 1;
  }
}

/** The fingerprints that end within one minute: an open-addressing hash table in two typed arrays. */
class Generation {
  #fingerprints = new Float64Array(FIRST_CAPACITY);
  /** The second of the minute at which each ends. */
  #seconds = new Uint8Array(FIRST_CAPACITY);
  #size = 0;

  /** The second of the minute at which `fingerprint` ends; null when it is not here. */
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

  /** Where `fingerprint` is, or would go. */
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
