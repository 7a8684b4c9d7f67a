import { ConsoleRefusedError, consoleExchange, createApiClient } from "@portico/protocol/client";
import { CONSOLE_ENDPOINTS, OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { byCookie } from "./cookie-login.ts";
import { renewingExchange } from "./renewing-exchange.ts";
import { type Login, Session } from "./session.ts";

/** A developer's login. */
export interface ConsoleLogin extends Login {
  developerId: string;
}

const baseUrl = location.origin;
const cookieOnly = createApiClient(CONSOLE_ENDPOINTS, consoleExchange({ baseUrl }));

/** The developer's login in this page. */
export const consoleSession = new Session<ConsoleLogin>(
  "console",
  byCookie(cookieOnly, { isSignedOut, personOf: ({ developerId }) => developerId }),
);

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
