import { type ConsoleAnswer, ConsoleRefusedError, consoleUrl, type Method, sendToConsole } from "./console-exchange.ts";
import { beginSession, endSession, type Session } from "./console-session.ts";
import type { DeveloperLogin } from "./developer-login.ts";
import { renewSavedLogin, type SavedLogin } from "./saved-login.ts";

/** What a call takes beside its method and path. */
interface CallOptions {
  query?: Record<string, string | undefined>;
  body?: unknown;
  /** The tenant that it is about, where it must or may name one. */
  tenantId?: string | undefined;
}

/**
 * The console API, called as a developer (docs/contract/console.md). To be disposed of: a login by password ends with
 * the command, for it lasts for a month, and the service ends a developer's oldest, which may be that of a browser, to
 * make room for new ones. A login that is kept is renewed instead, and stays.
 */
export class ConsoleApi implements AsyncDisposable {
  readonly #login: DeveloperLogin | SavedLogin;
  #session: Session | undefined;
  /** Under way, if it is. */
  #signingIn: Promise<Session> | undefined;
  #ended = false;

  constructor(login: DeveloperLogin | SavedLogin) {
    this.#login = login;
  }

  /** Where the service is. */
  get baseUrl(): string {
    return this.#login.baseUrl;
  }

  /**
   * Carries out a call, signing in before the first one, and again when the token has expired meanwhile.
   *
   * @param path segments below the base, not yet percent-encoded.
   * @throws ConsoleRefusedError or TransportError; FailureError when the login that is kept has ended.
   */
  async call(method: Method, path: readonly string[], options: CallOptions = {}): Promise<ConsoleAnswer> {
    const url = consoleUrl(this.#login.baseUrl, path);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const isFirst = this.#session === undefined;
    this.#session ??= await this.#signIn();
    try {
      return await this.#send(method, url, options);
    } catch (error) {
      const isRefused = error instanceof ConsoleRefusedError && error.status === 401;
      // Of a login that many commands share, a token may have made room for newer ones.
      const mayHaveExpired = !isFirst || isSaved(this.#login);
      if (!mayHaveExpired || this.#ended || !isRefused) throw error;
      await this.#signOut();
      this.#session = await this.#signIn();
      return await this.#send(method, url, options);
    }
  }

  /** Ends a login by password, and begins no other. That this fails is no failure of the command, which is done. */
  async end(): Promise<void> {
    this.#ended = true;
    // A renewal that is cut short loses the login that is kept.
    await this.#signingIn?.catch(() => {});
    await this.#signOut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #signIn(): Promise<Session> {
    const login = this.#login;
    this.#signingIn = isSaved(login) ? renewSavedLogin(login) : beginSession(login);
    try {
      return await this.#signingIn;
    } finally {
      this.#signingIn = undefined;
    }
  }

  async #signOut(): Promise<void> {
    const { refreshToken } = this.#session ?? {};
    this.#session = undefined;
    if (refreshToken === undefined || isSaved(this.#login)) return;
    try {
      await endSession(this.#login.baseUrl, refreshToken);
    } catch {
      // It ends by itself after a month.
    }
  }

  async #send(method: Method, url: URL, { body, tenantId }: CallOptions): Promise<ConsoleAnswer> {
    const headers: Record<string, string> = {};
    if (this.#session !== undefined) headers.Authorization = `Bearer ${this.#session.accessToken}`;
    if (tenantId !== undefined) headers["X-Open-Tenant-Id"] = tenantId;
    const { value, text } = await sendToConsole(method, url, { body, headers });
    return { value, text };
  }
}

function isSaved(login: DeveloperLogin | SavedLogin): login is SavedLogin {
  return "refreshToken" in login;
}
