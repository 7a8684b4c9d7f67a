import { timingSafeEqual } from "node:crypto";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";

/** Tickets that allow a member's browser to have pictures fetched: who, until when, and the service's HMAC over both. */
export class PictureTickets {
  readonly #fingerprint: (text: string) => string;

  constructor(secretBox: SecretBox) {
    this.#fingerprint = secretBox.fingerprinter("picture ticket");
  }

  /** A ticket for a member, good until `expiresAt` (epoch milliseconds). */
  issue(userId: string, expiresAt: number): string {
    const claim = `${Buffer.from(userId).toString("base64url")}.${expiresAt}`;
    return `${claim}.${this.#fingerprint(claim)}`;
  }

  /** The userId that a ticket is for; null when it is expired or none of the service's. */
  read(ticket: string, now: number): string | null {
    const { claim, user, until, mac } = /^(?<claim>(?<user>[\w-]{1,512})\.(?<until>\d{1,16}))\.(?<mac>[\w-]{43})$/.exec(
      ticket,
    )?.groups ?? { claim: "", user: "", until: "0", mac: "" };
    if (user === undefined || claim === undefined || mac === undefined || Number(until) <= now) return null;
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(this.#fingerprint(claim)))) return null;
    return Buffer.from(user, "base64url").toString();
  }
}
