import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { consoleExchange } from "@portico/sdk/console";
import type { DeveloperLogin } from "./developer-login.ts";

/** Short, so that a finished command does not wait long for its logout. */
const END_TIMEOUT_MS = 5_000;

/** The result of a login or a refresh. */
export interface Session {
  /** Valid for two hours; never written to disk. */
  accessToken: string;
  /** Can be used once to refresh the login; undefined when the service sent none. */
  refreshToken: string | undefined;
  developerId: string;
}

/** Logs a developer in with a password. */
export async function beginSession({ baseUrl, phone, password, channelId }: DeveloperLogin): Promise<Session> {
  const body = { phone, password, channelId };
  const { value, refreshToken } = await consoleExchange(CONSOLE_ENDPOINTS.login, { body }, { baseUrl });
  return { ...value, refreshToken };
}

/** Refreshes a login. The refresh token is used up; the session contains a new one. */
export async function renewSession(baseUrl: string, usedUp: string): Promise<Session> {
  const options = { baseUrl, refreshToken: usedUp };
  const { value, refreshToken } = await consoleExchange(CONSOLE_ENDPOINTS.refresh, {}, options);
  return { ...value, refreshToken };
}

/** Ends a login with all its tokens. */
export async function endSession(baseUrl: string, refreshToken: string): Promise<void> {
  await consoleExchange(CONSOLE_ENDPOINTS.logout, {}, { baseUrl, refreshToken, timeoutMs: END_TIMEOUT_MS });
}
