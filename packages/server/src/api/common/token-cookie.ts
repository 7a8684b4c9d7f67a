/** A cookie that holds a token, is not readable by scripts, and is sent to one path by the service's own pages alone. */
export class TokenCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #value: RegExp;

  /** @param path of the calls to which browsers send it. */
  constructor(name: string, path: string) {
    this.#name = name;
    this.#attributes = `HttpOnly; Secure; SameSite=Strict; Path=${path}`;
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
