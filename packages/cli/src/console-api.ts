import type { ConsoleEndpoint, EndpointInput } from "@portico/protocol/endpoints";
import { type ConsoleAnswer, ConsoleRefusedError, consoleExchange } from "@portico/sdk/console";
import { beginSession, endSession, type Session } from "./console-session.ts";
import type { DeveloperLogin } from "./developer-login.ts";
import { renewSavedLogin, type SavedLogin } from "./saved-login.ts";

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
   * @param tenantId the tenant that it is about, where it must or may name one.
   * @throws ConsoleRefusedError or TransportError; FailureError when the login that is kept has ended.
   */
  async call<E extends ConsoleEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    tenantId?: string,
  ): Promise<ConsoleAnswer<E>> {
    const send = ({ accessToken }: Session) =>
      consoleExchange(endpoint, input, { baseUrl: this.baseUrl, accessToken, tenantId });
    const isFirst = this.#session === undefined;
    this.#session ??= await this.#signIn();
    try {
      return await send(this.#session);
    } catch (error) {
      const isRefused = error instanceof ConsoleRefusedError && error.status === 401;
      // Of a login that many commands share, a token may have made room for newer ones.
      const mayHaveExpired = !isFirst || isSaved(this.#login);
      if (!mayHaveExpired || this.#ended || !isRefused) throw error;
      await this.#signOut();
      this.#session = await this.#signIn();
      return await send(this.#session);
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
}

function isSaved(login: DeveloperLogin | SavedLogin): login is SavedLogin {
  return "refreshToken" in login;
}
