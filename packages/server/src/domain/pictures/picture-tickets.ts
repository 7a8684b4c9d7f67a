import { timingSafeEqual } from "node:crypto";
import type { Fingerprinter, SecretBox } from "../../platform/crypto/secret-box.ts";
import { hashOfToken } from "../accounts/refresh-tokens.ts";

/** The hash of an access token, and its authentication code. */
const TICKET = /^(?<hash>[\w-]{43})\.(?<mac>[\w-]{43})$/;

/**
 * Tickets that allow a browser to have pictures fetched: the hash of an access token, authenticated by an HMAC, so that
 * reading the database is not enough to make one. A ticket is valid for as long as its access token.
 */
export class PictureTickets {
  readonly #fingerprint: Fingerprinter;

  constructor(secretBox: SecretBox) {
    this.#fingerprint = secretBox.fingerprinter("picture ticket");
  }

  issue(accessToken: string): string {
    const hash = hashOfToken(accessToken);
    return `${hash}.${this.#fingerprint.of(hash)}`;
  }

  /** The hash of the access token in a ticket; null when the ticket was not issued by the service. */
  read(ticket: string): string | null {
    const { hash = "", mac = "" } = TICKET.exec(ticket)?.groups ?? {};
    if (hash === "") return null;
    const isOurs = this.#fingerprint.all(hash).some((one) => timingSafeEqual(Buffer.from(mac), Buffer.from(one)));
    return isOurs ? hash : null;
  }
}
