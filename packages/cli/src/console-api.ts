import type { ConsoleEndpoint, EndpointInput } from "@portico/protocol/endpoints";
import { type ConsoleAnswer, ConsoleRefusedError, consoleExchange } from "@portico/sdk/console";
import { beginSession, endSession, type Session } from "./console-session.ts";
import type { DeveloperLogin } from "./developer-login.ts";
import { renewSavedLogin, type SavedLogin } from "./saved-login.ts";

/**
 * A client of the console API for a developer (docs/contract/console.md).
 *
 * Dispose of it after use: a login by password must end with the command. Otherwise it would last for a month, and the
 * service removes a developer's oldest logins, perhaps that of a browser, to make room for new ones. A saved login is
 * refreshed instead, and continues.
 */
export class ConsoleApi implements AsyncDisposable {
  readonly #login: DeveloperLogin | SavedLogin;
  #session: Session | undefined;
  /** Set while a login is in progress. */
  #signingIn: Promise<Session> | undefined;
  #ended = false;

  constructor(login: DeveloperLogin | SavedLogin) {
    this.#login = login;
  }

  /** The address of the service. */
  get baseUrl(): string {
    return this.#login.baseUrl;
  }

  /**
   * Makes a call. Logs in before the first call, and again when the token has expired.
   *
   * @param tenantId the tenant of the call, where one is required or allowed.
   * @throws ConsoleRefusedError or TransportError; FailureError when the saved login has ended.
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
      // When many commands share a login, a newer token may have displaced this one.
      const mayHaveExpired = !isFirst || isSaved(this.#login);
      if (!mayHaveExpired || this.#ended || !isRefused) throw error;
      await this.#signOut();
      this.#session = await this.#signIn();
      return await send(this.#session);
    }
  }

  /** Ends a login by password and starts no new one. A failure is ignored, because the command itself has succeeded. */
  async end(): Promise<void> {
    this.#ended = true;
    // An interrupted refresh would lose the saved login.
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
      // The login expires by itself after a month.
    }
  }
}

function isSaved(login: DeveloperLogin | SavedLogin): login is SavedLogin {
  return "refreshToken" in login;
}
