import { ApiRefusedError } from "@portico/protocol/client/errors";
import { call } from "./calls.ts";
import { forget, keep, kept, LASTS } from "./storage.ts";

/**
 * A token is replaced after this time, well before the two hours that it is good for. The clocks of browsers are often
 * wrong, so the time at which the service says that it ends is not compared with them.
 */
const USED_MS = 110 * 60_000;

/** Of which application the visitor is, and on which site, as the browser names it. */
export interface Place {
  appId: string;
  site: string;
}

/** A token, and until when it is good; unknown for one that the site gave. */
interface Token {
  text: string;
  goodUntil: number;
}

/**
 * Who the visitor is: whom the site names, or somebody without a name, whom a key in this browser brings back. A frame
 * without storage leaves the key to a cookie that only the service can read.
 */
export class Credentials {
  readonly #place: Place;
  /** Asks the site, which may fail, or answer null when nobody is signed in; null itself when it names nobody. */
  readonly #ofSite: (() => Promise<string | null>) | null;
  #token: Token | null = null;
  /** Whether the service knows of no visitor here. */
  #isNobody = false;
  #asking: Promise<string | null> | null = null;
  #becoming: Promise<string | null> | null = null;

  constructor(place: Place, ofSite: (() => Promise<string | null>) | null) {
    this.#place = place;
    this.#ofSite = ofSite;
  }

  /** Those of somebody without a name in the same place. */
  withoutName(): Credentials {
    return new Credentials(this.#place, null);
  }

  /** Whether the site says who the visitor is. */
  get areOfSite(): boolean {
    return this.#ofSite !== null;
  }

  /** Whether there may be a conversation already. */
  get isKnown(): boolean {
    return this.#ofSite !== null || kept(this.#key) !== null || (!LASTS && !this.#isNobody);
  }

  /**
   * The visitor's token; null for a visitor who has not written yet. Calls at the same time have the same answer.
   *
   * @throws ApiRefusedError, TransportError
   */
  token(): Promise<string | null> {
    if (this.#token !== null && Date.now() < this.#token.goodUntil) return Promise.resolve(this.#token.text);
    this.#asking ??= this.#ask(false).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** The same, of a visitor who writes: who was nobody so far becomes somebody. */
  async tokenToWrite(): Promise<string> {
    const token = await this.token();
    if (token !== null) return token;
    this.#becoming ??= this.#ask(true).finally(() => {
      this.#becoming = null;
    });
    const made = await this.#becoming;
    if (made === null) throw new Error("the site gives no visitorToken");
    return made;
  }

  /** The token was refused: the next one is asked for. */
  refuse(token: string): void {
    if (this.#token?.text === token) this.#token = null;
  }

  /** Forgets the visitor in this browser. */
  forget(): void {
    this.#token = null;
    this.#isNobody = true;
    forget(this.#key);
  }

  get #key(): string {
    return `portico-visitor:${this.#place.appId}`;
  }

  async #ask(mayBecome: boolean): Promise<string | null> {
    if (this.#ofSite === null) return await alone(this.#key, () => this.#askWithoutName(mayBecome));
    const text = await this.#ofSite();
    this.#token = text === null ? null : { text, goodUntil: Number.POSITIVE_INFINITY };
    return text;
  }

  async #askWithoutName(mayBecome: boolean): Promise<string | null> {
    const { appId, site } = this.#place;
    // Another tab may have become somebody meanwhile.
    const visitorKey = kept(this.#key);
    const isReturning = visitorKey !== null || (!LASTS && !this.#isNobody);
    if (!isReturning && !mayBecome) return null;
    try {
      const made = await call("createVisitor", null, { body: { appId, visitorKey, isReturning, site } });
      this.#isNobody = false;
      keep(this.#key, made.visitorKey);
      this.#token = { text: made.visitorToken, goodUntil: Date.now() + USED_MS };
      return made.visitorToken;
    } catch (error) {
      // The visitor has signed out in another tab, or was away for too long.
      if (!(error instanceof ApiRefusedError) || error.httpStatus !== 401 || !isReturning) throw error;
      this.forget();
      return mayBecome ? await this.#askWithoutName(true) : null;
    }
  }
}

/** Runs `work` in one tab at a time, so that two tabs do not become two visitors. */
async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  return LASTS && "locks" in navigator ? await navigator.locks.request(name, work) : await work();
}

/** Whether a call was refused because the owner of the application has disabled the visitor. */
export function isDisabled(error: unknown): boolean {
  return error instanceof ApiRefusedError && error.code === "400101";
}
