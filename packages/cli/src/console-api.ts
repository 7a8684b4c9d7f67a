import type { ConsoleErrorBody } from "@portico/protocol";
import { TransportError } from "@portico/sdk";
import { exchange, notWhat } from "@portico/sdk/exchange";
import { numberOf, textOf } from "./json.ts";
import type { DeveloperLogin } from "./settings.ts";

const BASE = "/api/open/console/v1";
/** Names the login (spec.md, "Console authentication"). */
const REFRESH_COOKIE = "open_refresh_token";
/** The service calls the receiver while it verifies a subscription. */
const TIMEOUT_MS = 30_000;
/** A command must not be held up for long by what it no longer needs. */
const LOGOUT_TIMEOUT_MS = 5_000;

/** The console API refused a call (spec.md, "Errors", other rules 3). */
export class ConsoleRefusedError extends Error {
  override readonly name = "ConsoleRefusedError";
  readonly status: number;
  /** The reason phrase of the status. */
  readonly error: string;
  /** Seconds after which a repeat can succeed, when the service said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Pick<ConsoleErrorBody, "status" | "error" | "message">, retryAfterSeconds: number | undefined) {
    super(refusal.message);
    this.status = refusal.status;
    this.error = refusal.error;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What the console API answered to a call that it carried out. */
export interface ConsoleAnswer {
  value: unknown;
  /** The same as it came, to be printed as it is. */
  text: string;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What the console API's answers are read as; `refusal` is null for a success. */
interface Content extends ConsoleAnswer {
  refusal: Pick<ConsoleErrorBody, "status" | "error" | "message"> | null;
}

/** What a login gives: a token to call with, and the cookie that names the login. */
interface Session {
  accessToken: string;
  cookie: string | undefined;
}

/**
 * The console API, called as a developer (spec.md, "Developer console API"; design, section 11). To be disposed of: a login
 * lasts for a month, and the service ends a developer's oldest, which may be that of a browser, to make room for new ones.
 */
export class ConsoleApi implements AsyncDisposable {
  readonly #login: DeveloperLogin;
  #session: Session | undefined;
  #ended = false;

  constructor(login: DeveloperLogin) {
    this.#login = login;
  }

  /**
   * Carries out a call, logging in before the first one, and again when the token has expired meanwhile.
   *
   * @param path segments below the base, not yet percent-encoded.
   * @throws ConsoleRefusedError or TransportError
   */
  async call(
    method: Method,
    path: readonly string[],
    options: { query?: Record<string, string | undefined>; body?: unknown } = {},
  ): Promise<ConsoleAnswer> {
    const url = this.#urlOf(path.map(encodeURIComponent).join("/"));
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const isFirst = this.#session === undefined;
    this.#session ??= await this.#logIn();
    try {
      return await this.#send(method, url, options.body);
    } catch (error) {
      const isRefused = error instanceof ConsoleRefusedError && error.status === 401;
      if (isFirst || this.#ended || !isRefused) throw error;
      await this.#logOut();
      this.#session = await this.#logIn();
      return await this.#send(method, url, options.body);
    }
  }

  /** Ends the login, if there is one, and begins no other. That this fails is no failure of the command, which is done. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#logOut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #logOut(): Promise<void> {
    const { cookie } = this.#session ?? {};
    this.#session = undefined;
    if (cookie === undefined) return;
    try {
      await send("POST", this.#urlOf("auth/logout"), { headers: { Cookie: cookie }, timeoutMs: LOGOUT_TIMEOUT_MS });
    } catch {
      // It ends by itself after a month.
    }
  }

  async #logIn(): Promise<Session> {
    const { phone, password, channelId } = this.#login;
    const { value, cookies } = await send("POST", this.#urlOf("auth/login"), { body: { phone, password, channelId } });
    const accessToken = textOf(value, "accessToken") ?? unpromised("a login");
    return { accessToken, cookie: cookies.find((cookie) => cookie.startsWith(`${REFRESH_COOKIE}=`)) };
  }

  async #send(method: Method, url: URL, body: unknown): Promise<ConsoleAnswer> {
    const headers: Record<string, string> = {};
    if (this.#session !== undefined) headers.Authorization = `Bearer ${this.#session.accessToken}`;
    const { value, text } = await send(method, url, { body, headers });
    return { value, text };
  }

  #urlOf(path: string): URL {
    return new URL(`${BASE}/${path}`, this.#login.baseUrl);
  }
}

/** For a success that has not the value that it promises. */
export function unpromised(what: string): never {
  const message = `the service answered ${what} with a value that is not what the call promises`;
  throw new TransportError(message, { cause: undefined, httpStatus: 200 });
}

interface Sending {
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

/** The cookies are what the answer sets, each as `name=value`. */
async function send(
  method: Method,
  url: URL,
  { body, headers: own, timeoutMs = TIMEOUT_MS }: Sending,
): Promise<ConsoleAnswer & { cookies: string[] }> {
  const headers: Record<string, string> = { Accept: "application/json", ...own };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  let cookies: string[] = [];
  const options = {
    timeoutMs,
    async fetch(...request: Parameters<typeof fetch>) {
      const response = await fetch(...request);
      cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
      return response;
    },
  };
  const { content, retryAfterSeconds } = await exchange({ method, url, headers, body: bytes }, options, readAnswer);
  const { value, text, refusal } = content;
  if (refusal !== null) throw new ConsoleRefusedError(refusal, retryAfterSeconds);
  return { value, text, cookies };
}

function readAnswer(text: string, httpStatus: number): Content {
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  if (isSuccess && text === "") return { value: null, text, refusal: null };
  const value = parse(text);
  if (isSuccess && value !== undefined) return { value, text, refusal: null };
  const error = textOf(value, "error");
  if (error === undefined || numberOf(value, "status") !== httpStatus) throw notWhat("the console's", text, httpStatus);
  return { value, text, refusal: { status: httpStatus, error, message: textOf(value, "message") ?? "" } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
