import type { ConsoleErrorBody } from "@portico/protocol";
import { TransportError } from "@portico/sdk";
import { exchange, notWhat } from "@portico/sdk/exchange";
import { numberOf, textOf } from "./json.ts";
import type { DeveloperLogin } from "./settings.ts";

const BASE = "/api/open/console/v1";
/** The service calls the receiver while it verifies a subscription. */
const TIMEOUT_MS = 30_000;

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

/** The console API, called as a developer (spec.md, "Developer console API"; design, section 11). */
export class ConsoleApi {
  readonly #login: DeveloperLogin;
  #accessToken: string | undefined;

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
    const url = new URL(`${BASE}/${path.map(encodeURIComponent).join("/")}`, this.#login.baseUrl);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const isFirst = this.#accessToken === undefined;
    this.#accessToken ??= await this.#logIn();
    try {
      return await send(method, url, { body: options.body, accessToken: this.#accessToken });
    } catch (error) {
      if (isFirst || !(error instanceof ConsoleRefusedError) || error.status !== 401) throw error;
      this.#accessToken = await this.#logIn();
      return await send(method, url, { body: options.body, accessToken: this.#accessToken });
    }
  }

  async #logIn(): Promise<string> {
    const { baseUrl, phone, password, channelId } = this.#login;
    const url = new URL(`${BASE}/auth/login`, baseUrl);
    const { value } = await send("POST", url, { body: { phone, password, channelId } });
    return textOf(value, "accessToken") ?? unpromised("a login");
  }
}

/** For a success that has not the value that it promises. */
export function unpromised(what: string): never {
  const message = `the service answered ${what} with a value that is not what the call promises`;
  throw new TransportError(message, { cause: undefined, httpStatus: 200 });
}

async function send(
  method: Method,
  url: URL,
  { body, accessToken }: { body?: unknown; accessToken?: string },
): Promise<ConsoleAnswer> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (accessToken !== undefined) headers.Authorization = `Bearer ${accessToken}`;
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  const options = { timeoutMs: TIMEOUT_MS, fetch };
  const { content, retryAfterSeconds } = await exchange({ method, url, headers, body: bytes }, options, readAnswer);
  const { value, text, refusal } = content;
  if (refusal !== null) throw new ConsoleRefusedError(refusal, retryAfterSeconds);
  return { value, text };
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
