/** What a sign-in gives, and each renewal: a token, and until when it is good. */
export interface Login {
  accessToken: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Where a page is with its sign-in. "restoring": it was loaded a moment ago and asks the service whether there is a login;
 * "unreachable": the service could not be asked, which says nothing about the login.
 */
export type SessionState<L extends Login> =
  | ({ status: "restoring" } & Left<L>)
  | ({ status: "unreachable"; error: unknown } & Left<L>)
  | ({ status: "signed-out" } & Left<L>)
  | { status: "signed-in"; login: L };

/**
 * The login that ended without the person having ended it in this page, and where it was ended: in another tab, or by the service,
 * which does not say why. What they were doing waits for them; null when nothing does.
 */
interface Left<L extends Login> {
  left: { login: L; by: "tab" | "service" } | null;
}

/** How a session speaks to its API. `renew` goes by the refresh cookie, which no script can read. */
export interface SessionApi<L extends Login> {
  /** Null when there is no login (any more). Throws when the service could not be asked. */
  renew(): Promise<L | null>;
  logout(): Promise<void>;
  /** Identifies whose login it is. */
  personOf(login: L): string;
}

/** What tabs tell each other: who has signed in, or with null that somebody has signed out. */
interface Announcement {
  person: string | null;
}

/** A token is renewed so long before its end. */
const EARLY_MS = 60_000;
/** setTimeout takes no longer delay. */
const LONGEST_TIMER_MS = 2_147_000_000;

/**
 * A person's login in this page. The access token lives in its memory alone; what survives a reload is the refresh cookie.
 * Tabs renew one after the other, and all are told when somebody signs in or out in one of them: they share the cookie.
 */
export class Session<L extends Login> {
  readonly #name: string;
  readonly #api: SessionApi<L>;
  readonly #others: BroadcastChannel;
  readonly #listeners = new Set<() => void>();
  #state: SessionState<L> = { status: "restoring", left: null };
  #renewal: Promise<L | null> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts sign-ins and sign-outs. What a renewal from before the last one answers is no longer true. */
  #turn = 0;

  /** @param name one for each API, as a browser may be signed in to several. */
  constructor(name: string, api: SessionApi<L>) {
    this.#name = name;
    this.#api = api;
    this.#others = new BroadcastChannel(`portico.${name}`);
    this.#others.onmessage = ({ data }: MessageEvent<Announcement>) => this.#takeUp(data.person);
  }

  get state(): SessionState<L> {
    return this.#state;
  }

  /** The access token, if somebody is signed in. */
  readonly token = (): string | undefined =>
    this.#state.status === "signed-in" ? this.#state.login.accessToken : undefined;

  /** Identifies whose login it is. */
  personOf(login: L): string {
    return this.#api.personOf(login);
  }

  /** Who is signed in, if somebody is. */
  get person(): string | null {
    return this.#state.status === "signed-in" ? this.#api.personOf(this.#state.login) : null;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): SessionState<L> => this.#state;

  /** Finds out whether there is a login. */
  async restore(): Promise<void> {
    if (this.#state.status !== "signed-in") this.#set({ status: "restoring", left: this.#left("service") });
    const turn = this.#turn;
    try {
      await this.renew();
      // A way back from a provider ends here; other tabs may be waiting for it.
      if (turn === this.#turn && this.person !== null) this.#announce(this.person);
    } catch (error) {
      if (turn !== this.#turn || this.#state.status === "signed-in") return;
      this.#set({ status: "unreachable", error, left: this.#left("service") });
    }
  }

  /** Takes a login up, after a sign-in. */
  start(login: L): void {
    this.#begin();
    this.#signedIn(login);
    this.#announce(this.person);
  }

  /**
   * Renews the login; several calls at once make one request.
   *
   * @returns null when it has ended, and the page is signed out. @throws when the service could not be asked.
   */
  renew(): Promise<L | null> {
    if (this.#renewal !== null) return this.#renewal;
    const renewal = this.#renewInTurn().finally(() => {
      if (this.#renewal === renewal) this.#renewal = null;
    });
    this.#renewal = renewal;
    return renewal;
  }

  /** Ends the login, here and in the other tabs. @throws when the service could not be asked, which leaves it as it was. */
  async end(): Promise<void> {
    // A renewal that is under way must not set the cookie after this has taken it away.
    await this.#inTurn(() => this.#api.logout());
    this.#signedOut(null);
    this.#announce(null);
  }

  async #renewInTurn(): Promise<L | null> {
    const turn = this.#turn;
    const login = await this.#inTurn(() => this.#api.renew());
    if (turn === this.#turn) {
      if (login === null) this.#signedOut(this.#left("service"));
      else this.#signedIn(login);
    }
    return this.#state.status === "signed-in" ? this.#state.login : null;
  }

  /** One tab after the other; on a page that came by plain http there are no locks, and no cookie that tabs could share. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (!("locks" in navigator)) return run();
    return navigator.locks.request(`portico.${this.#name}`, run);
  }

  /** Somebody has signed in or out in another tab. What this one shows of somebody else goes at once. */
  #takeUp(person: string | null): void {
    if (person === null) this.#signedOut(this.#left("tab"));
    if (person === null || person === this.person) return;
    const left = this.#left("tab");
    this.#begin();
    this.#set({ status: "restoring", left });
    void this.restore();
  }

  #announce(person: string | null): void {
    this.#others.postMessage({ person } satisfies Announcement);
  }

  /** What was under way belongs to a login that is over. */
  #begin(): void {
    this.#turn++;
    this.#renewal = null;
    clearTimeout(this.#timer);
  }

  #signedIn(login: L): void {
    clearTimeout(this.#timer);
    const life = login.expiresAt - Date.now();
    // A clock that is ahead must not make the page renew without end.
    const delay = Math.min(Math.max(life - EARLY_MS, life / 2, EARLY_MS), LONGEST_TIMER_MS);
    // A failure is seen at the next call, which renews too.
    this.#timer = setTimeout(() => this.renew().catch(() => {}), delay);
    this.#set({ status: "signed-in", login });
  }

  /** @param left what waits for the person; null for who has signed out here. */
  #signedOut(left: Left<L>["left"]): void {
    this.#begin();
    if (this.#state.status !== "signed-out" || this.#state.left !== left) this.#set({ status: "signed-out", left });
  }

  /** What waits for the person who is signed in, or was. */
  #left(by: "tab" | "service"): Left<L>["left"] {
    return this.#state.status === "signed-in" ? { login: this.#state.login, by } : this.#state.left;
  }

  #set(state: SessionState<L>): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
