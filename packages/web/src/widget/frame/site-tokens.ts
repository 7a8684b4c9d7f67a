import type { Host } from "./host.ts";

/** How long the site's page may take to give a token. */
const ASKED_FOR_MS = 30_000;

/** Asks the site's page for tokens of the visitor whom it names. */
export class SiteTokens {
  readonly #host: Host;
  readonly #asked = new Map<number, (token: string | null | undefined) => void>();
  #count = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Null when nobody is signed in there. Rejects when the page fails to say who is there. */
  ask(identity: number): Promise<string | null> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.take(id, undefined), ASKED_FOR_MS);
      this.#asked.set(id, (token) => {
        clearTimeout(timer);
        this.#asked.delete(id);
        if (token === undefined) reject(new Error("the site gives no visitorToken"));
        else resolve(token);
      });
      this.#host.tell({ type: "token", id, identity });
    });
  }

  /** Takes the page's answer; undefined when it has none now. */
  take(id: number, token: string | null | undefined): void {
    this.#asked.get(id)?.(token);
  }
}
