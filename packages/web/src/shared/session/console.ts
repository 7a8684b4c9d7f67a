import { ConsoleRefusedError, consoleExchange, createApiClient } from "@portico/protocol/client";
import { CONSOLE_ENDPOINTS, OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { renewingExchange } from "./renewing-exchange.ts";
import { type Login, Session } from "./session.ts";

/** A developer's login. */
export interface ConsoleLogin extends Login {
  developerId: string;
}

const baseUrl = location.origin;
const cookieOnly = createApiClient(CONSOLE_ENDPOINTS, consoleExchange({ baseUrl }));

/** The developer's login in this page. */
export const consoleSession = new Session<ConsoleLogin>("console", {
  async renew() {
    try {
      return await cookieOnly.refresh();
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
  async logout() {
    await cookieOnly.logout();
  },
  personOf: ({ developerId }) => developerId,
});

const exchange = renewingExchange(
  consoleSession,
  consoleExchange({ baseUrl, accessToken: consoleSession.token }),
  isSignedOut,
);

/** The console's API, as the developer who is signed in. */
export const consoleApi = createApiClient(CONSOLE_ENDPOINTS, exchange);

/** The operators' API, as the developer who is signed in. */
export const operatorApi = createApiClient(OPERATOR_ENDPOINTS, exchange);

function isSignedOut(error: unknown): boolean {
  return error instanceof ConsoleRefusedError && error.status === 401;
}
