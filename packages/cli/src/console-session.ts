import { type ConsoleExchangeOptions, consoleExchange, createApiClient } from "@portico/protocol/client";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { DeveloperLogin } from "./developer-login.ts";
import { passSecondStep } from "./second-step.ts";

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

/** A client of the console API, and the refresh token that its last answer has set. */
export function signInClient(options: Omit<ConsoleExchangeOptions, "onAnswer">) {
  let newest: string | undefined;
  const onAnswer: ConsoleExchangeOptions["onAnswer"] = ({ refreshToken }) => {
    newest = refreshToken;
  };
  const client = createApiClient(CONSOLE_ENDPOINTS, consoleExchange({ ...options, onAnswer }));
  return { client, refreshToken: () => newest };
}

/** Logs a developer in with a password, and a code where one is asked for. */
export async function beginSession({ baseUrl, phone, password, channelId, code }: DeveloperLogin): Promise<Session> {
  const { client, refreshToken } = signInClient({ baseUrl });
  const first = await client.login({ body: { phone, password, channelId } });
  const login = "secondFactor" in first ? await passSecondStep(client, first, code) : first;
  return { ...login, refreshToken: refreshToken() };
}

/** Refreshes a login. The refresh token is used up; the session contains a new one. */
export async function renewSession(baseUrl: string, usedUp: string): Promise<Session> {
  const { client, refreshToken } = signInClient({ baseUrl, refreshToken: usedUp });
  const login = await client.refresh();
  return { ...login, refreshToken: refreshToken() };
}

/** Ends a login with all its tokens. */
export async function endSession(baseUrl: string, refreshToken: string): Promise<void> {
  await signInClient({ baseUrl, refreshToken, timeoutMs: END_TIMEOUT_MS }).client.logout();
}
