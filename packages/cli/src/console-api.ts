import {
  type ApiClient,
  type ConsoleCallOptions,
  ConsoleRefusedError,
  consoleExchange,
  createApiClient,
  type Exchange,
} from "@portico/protocol/client";
import { CONSOLE_ENDPOINTS, OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { beginSession, endSession, type Session } from "./console-session.ts";
import type { DeveloperLogin } from "./developer-login.ts";
import type { SavedDeveloper } from "./login-file.ts";
import { renewSavedLogin } from "./saved-login.ts";

/**
 * A client of the console API for a developer (docs/contract/console.md).
 *
 * Dispose of it after use: a login by password must end with the command. Otherwise it would last for a month, and the
 * service removes a developer's oldest logins, perhaps that of a browser, to make room for new ones. A saved login is
 * refreshed instead, and continues.
 */
export class ConsoleApi implements AsyncDisposable {
  /**
   * The calls of developers. Logs in before the first call, and again when the token has expired.
   *
   * They throw ConsoleRefusedError or TransportError; FailureError when the saved login has ended.
   */
  readonly console: ApiClient<typeof CONSOLE_ENDPOINTS, ConsoleCallOptions>;
  /** The same for operators. */
  readonly operator: ApiClient<typeof OPERATOR_ENDPOINTS, ConsoleCallOptions>;
  readonly #login: DeveloperLogin | SavedDeveloper;
  readonly #send: Exchange<ConsoleCallOptions>;
  readonly #texts = new WeakMap<object, string>();
  #session: Session | undefined;
  /** Set while a login is in progress. */
  #signingIn: Promise<Session> | undefined;
  #ended = false;

  constructor(login: DeveloperLogin | SavedDeveloper) {
    this.#login = login;
    this.#send = consoleExchange({
      baseUrl: login.baseUrl,
      accessToken: () => this.#session?.accessToken,
      onAnswer: ({ value, text }) => {
        if (typeof value === "object" && value !== null) this.#texts.set(value, text);
      },
    });
    const exchange: Exchange<ConsoleCallOptions> = (call, options) => this.#call(call, options);
    this.console = createApiClient(CONSOLE_ENDPOINTS, exchange);
    this.operator = createApiClient(OPERATOR_ENDPOINTS, exchange);
  }

  /** The address of the service. */
  get baseUrl(): string {
    return this.#login.baseUrl;
  }

  /** The original text of the answer with this value. */
  textOf(value: object): string {
    return this.#texts.get(value) ?? JSON.stringify(value);
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

  async #call(...call: Parameters<Exchange<ConsoleCallOptions>>): ReturnType<Exchange<ConsoleCallOptions>> {
    const isFirst = this.#session === undefined;
    this.#session ??= await this.#signIn();
    try {
      return await this.#send(...call);
    } catch (error) {
      const isRefused = error instanceof ConsoleRefusedError && error.status === 401;
      // When many commands share a login, a newer token may have displaced this one.
      const mayHaveExpired = !isFirst || isSaved(this.#login);
      if (!mayHaveExpired || this.#ended || !isRefused) throw error;
      await this.#signOut();
      this.#session = await this.#signIn();
      return await this.#send(...call);
    }
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

function isSaved(login: DeveloperLogin | SavedDeveloper): login is SavedDeveloper {
  return "refreshToken" in login;
}
