import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { consoleExchange } from "@portico/sdk/console";
import type { DeveloperLogin } from "./developer-login.ts";

/** A command must not be held up for long by what it no longer needs. */
const END_TIMEOUT_MS = 5_000;

/** What a login, or its renewal, gives. */
export interface Session {
  /** To call with; good for two hours, and never written down. */
  accessToken: string;
  /** What the login goes by, good for one renewal; undefined when the service gave none. */
  refreshToken: string | undefined;
  developerId: string;
}

/** Logs a developer in by their password. */
export async function beginSession({ baseUrl, phone, password, channelId }: DeveloperLogin): Promise<Session> {
  const body = { phone, password, channelId };
  const { value, refreshToken } = await consoleExchange(CONSOLE_ENDPOINTS.login, { body }, { baseUrl });
  return { ...value, refreshToken };
}

/** Renews a login; the refresh token is used up, and the session holds the one that takes its place. */
export async function renewSession(baseUrl: string, usedUp: string): Promise<Session> {
  const options = { baseUrl, refreshToken: usedUp };
  const { value, refreshToken } = await consoleExchange(CONSOLE_ENDPOINTS.refresh, {}, options);
  return { ...value, refreshToken };
}

/** Ends a login with all its tokens. */
export async function endSession(baseUrl: string, refreshToken: string): Promise<void> {
  await consoleExchange(CONSOLE_ENDPOINTS.logout, {}, { baseUrl, refreshToken, timeoutMs: END_TIMEOUT_MS });
}
