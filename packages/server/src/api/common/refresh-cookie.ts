/** The cookie of one kind of login, which holds its refresh token and is not readable by scripts. */
export class RefreshCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #value: RegExp;

  /** @param path of the calls to which browsers send it. */
  constructor(name: string, path: string) {
    this.#name = name;
    this.#attributes = `HttpOnly; Secure; SameSite=Strict; Path=${path}`;
    this.#value = new RegExp(`(?:^|;)\\s*${name}=([^;\\s]*)`, "g");
  }

  /** A Set-Cookie header that stores a refresh token for `lifeMs`. */
  holding(token: string, lifeMs: number): string {
    return `${this.#name}=${token}; Max-Age=${Math.floor(lifeMs / 1_000)}; ${this.#attributes}`;
  }

  /** A Set-Cookie header that removes it. */
  get removed(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }

  /**
   * The refresh token in a Cookie header; empty when there is none. Several count as none: another host of the same
   * domain can set a second cookie, and the two cannot be distinguished.
   */
  tokenIn(cookies: string): string {
    const [found, another] = cookies.matchAll(this.#value);
    return another === undefined ? (found?.[1] ?? "") : "";
  }
}
