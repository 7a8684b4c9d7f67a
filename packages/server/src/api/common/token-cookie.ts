/** A cookie that holds a token, is not readable by scripts, and is sent to one path. */
export class TokenCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #value: RegExp;

  /**
   * @param path of the calls to which browsers send it.
   * @param sites `Lax` for one that has to be there when another site sends the browser back; `Strict` for the service's own pages alone; `None; Partitioned` also for a page of its own in the frame of a
   * site, with another cookie for each site.
   */
  constructor(name: string, path: string, sites: "Strict" | "Lax" | "None; Partitioned" = "Strict") {
    this.#name = name;
    this.#attributes = `HttpOnly; Secure; SameSite=${sites}; Path=${path}`;
    this.#value = new RegExp(`(?:^|;)\\s*${name}=([^;\\s]*)`, "g");
  }

  /** A Set-Cookie header that stores a token for `lifeMs`. */
  holding(token: string, lifeMs: number): string {
    return `${this.#name}=${token}; Max-Age=${Math.floor(lifeMs / 1_000)}; ${this.#attributes}`;
  }

  /** A Set-Cookie header that removes it. */
  get removed(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }

  /**
   * The token in a Cookie header; empty when there is none. Several count as none: another host of the same
   * domain can set a second cookie, and the two cannot be distinguished.
   */
  tokenIn(cookies: string): string {
    const [found, another] = cookies.matchAll(this.#value);
    return another === undefined ? (found?.[1] ?? "") : "";
  }
}
