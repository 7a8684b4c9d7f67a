import { timingSafeEqual } from "node:crypto";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";

/** The claim (a userId in Base64URL and an expiry), and its authentication code. */
const TICKET = /^(?<claim>(?<user>[\w-]{1,512})\.(?<expiresAt>\d{1,16}))\.(?<mac>[\w-]{43})$/;

/** Tickets that allow a member's browser to have pictures fetched: a userId and an expiry, authenticated by an HMAC. */
export class PictureTickets {
  readonly #fingerprint: (text: string) => string;

  constructor(secretBox: SecretBox) {
    this.#fingerprint = secretBox.fingerprinter("picture ticket");
  }

  /** A ticket for a member, valid until `expiresAt` (epoch milliseconds). */
  issue(userId: string, expiresAt: number): string {
    const claim = `${Buffer.from(userId).toString("base64url")}.${expiresAt}`;
    return `${claim}.${this.#fingerprint(claim)}`;
  }

  /** The userId in a ticket; null when it has expired or was not issued by the service. */
  read(ticket: string, now: number): string | null {
    const { claim = "", user = "", expiresAt = "", mac = "" } = TICKET.exec(ticket)?.groups ?? {};
    if (claim === "" || Number(expiresAt) <= now) return null;
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(this.#fingerprint(claim)))) return null;
    return Buffer.from(user, "base64url").toString();
  }
}
