import { useSyncExternalStore } from "react";

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
  | { status: "restoring" }
  | { status: "unreachable"; error: unknown }
  | { status: "signed-out" }
  | { status: "signed-in"; login: L };

/** How a session speaks to its API. `renew` goes by the refresh cookie, which no script can read. */
export interface SessionApi<L extends Login> {
  /** Null when there is no login (any more). Throws when the service could not be asked. */
  renew(): Promise<L | null>;
  logout(): Promise<void>;
}

/** A token is renewed so long before its end. */
const EARLY_MS = 60_000;
/** setTimeout takes no longer delay. */
const LONGEST_TIMER_MS = 2_147_000_000;

/**
 * A person's login in this page. The access token lives in its memory alone; what survives a reload is the refresh cookie.
 * Tabs renew one after the other, and all are told when one signs out.
 */
export class Session<L extends Login> {
  readonly #name: string;
  readonly #api: SessionApi<L>;
  readonly #others: BroadcastChannel;
  readonly #listeners = new Set<() => void>();
  #state: SessionState<L> = { status: "restoring" };
  #renewal: Promise<L | null> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param name one for each API, as a browser may be signed in to several. */
  constructor(name: string, api: SessionApi<L>) {
    this.#name = name;
    this.#api = api;
    this.#others = new BroadcastChannel(`portico.${name}`);
    this.#others.onmessage = ({ data }) => {
      if (data === "signed-out") this.#signedOut();
      else if (this.#state.status === "signed-out") void this.restore();
    };
  }

  get state(): SessionState<L> {
    return this.#state;
  }

  /** The access token, if somebody is signed in. */
  readonly token = (): string | undefined =>
    this.#state.status === "signed-in" ? this.#state.login.accessToken : undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): SessionState<L> => this.#state;

  /** Finds out whether there is a login. */
  async restore(): Promise<void> {
    if (this.#state.status !== "signed-in") this.#set({ status: "restoring" });
    try {
      await this.renew();
    } catch (error) {
      if (this.#state.status !== "signed-in") this.#set({ status: "unreachable", error });
    }
  }

  /** Takes a login up, after a sign-in. */
  start(login: L): void {
    this.#signedIn(login);
    this.#others.postMessage("signed-in");
  }

  /**
   * Renews the login; several calls at once make one request.
   *
   * @returns null when it has ended, and the page is signed out. @throws when the service could not be asked.
   */
  renew(): Promise<L | null> {
    this.#renewal ??= this.#renewInTurn().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /** Ends the login, here and in the other tabs. */
  async end(): Promise<void> {
    await this.#api.logout();
    this.#signedOut();
    this.#others.postMessage("signed-out");
  }

  async #renewInTurn(): Promise<L | null> {
    const login = await navigator.locks.request(`portico.${this.#name}`, () => this.#api.renew());
    if (login === null) this.#signedOut();
    else this.#signedIn(login);
    return login;
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

  #signedOut(): void {
    clearTimeout(this.#timer);
    if (this.#state.status !== "signed-out") this.#set({ status: "signed-out" });
  }

  #set(state: SessionState<L>): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** A session's state, in a component. */
export function useSession<L extends Login>(session: Session<L>): SessionState<L> {
  return useSyncExternalStore(session.subscribe, session.snapshot);
}
