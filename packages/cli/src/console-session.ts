import { consoleUrl, sendToConsole, unpromised } from "./console-exchange.ts";
import type { DeveloperLogin } from "./developer-login.ts";
import { textOf } from "./json.ts";

/** Names the login (docs/contract/console.md#signing-in). */
const REFRESH_COOKIE = "open_refresh_token";
/** A command must not be held up for long by what it no longer needs. */
const END_TIMEOUT_MS = 5_000;

/** What a login, or its renewal, gives. */
export interface Session {
  /** To call with; good for two hours, and never written down. */
  accessToken: string;
  /** What the login goes by, good for one renewal; undefined when the service gave none. */
  refreshToken: string | undefined;
  developerId: string | undefined;
}

/** Logs a developer in by their password. */
export async function beginSession({ baseUrl, phone, password, channelId }: DeveloperLogin): Promise<Session> {
  const url = consoleUrl(baseUrl, ["auth", "login"]);
  return sessionOf(await sendToConsole("POST", url, { body: { phone, password, channelId } }));
}

/** Renews a login; the refresh token is used up, and the session holds the one that takes its place. */
export async function renewSession(baseUrl: string, refreshToken: string): Promise<Session> {
  const url = consoleUrl(baseUrl, ["auth", "refresh"]);
  return sessionOf(await sendToConsole("POST", url, { headers: cookieHeader(refreshToken) }));
}

/** Ends a login with all its tokens. */
export async function endSession(baseUrl: string, refreshToken: string): Promise<void> {
  const url = consoleUrl(baseUrl, ["auth", "logout"]);
  await sendToConsole("POST", url, { headers: cookieHeader(refreshToken), timeoutMs: END_TIMEOUT_MS });
}

/** The session that an answer gives. */
export function sessionOf({ value, cookies }: Awaited<ReturnType<typeof sendToConsole>>): Session {
  const cookie = cookies.find((each) => each.startsWith(`${REFRESH_COOKIE}=`));
  return {
    accessToken: textOf(value, "accessToken") ?? unpromised("a login"),
    refreshToken: cookie?.slice(REFRESH_COOKIE.length + 1),
    developerId: textOf(value, "developerId"),
  };
}

function cookieHeader(refreshToken: string) {
  return { Cookie: `${REFRESH_COOKIE}=${refreshToken}` };
}
