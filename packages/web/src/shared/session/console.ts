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

const texts = new WeakMap<object, string>();

const exchange = renewingExchange(
  consoleSession,
  consoleExchange({
    baseUrl,
    accessToken: consoleSession.token,
    onAnswer({ value, text }) {
      if (typeof value === "object" && value !== null) texts.set(value, text);
    },
  }),
  isSignedOut,
);

/** The text of the answer with this value, in which numbers are spelled as the service has them. */
export function textOfAnswer(value: object): string {
  return texts.get(value) ?? JSON.stringify(value);
}

/** The console's API, as the developer who is signed in. */
export const consoleApi = createApiClient(CONSOLE_ENDPOINTS, exchange);

/** The operators' API, as the developer who is signed in. */
export const operatorApi = createApiClient(OPERATOR_ENDPOINTS, exchange);

function isSignedOut(error: unknown): boolean {
  return error instanceof ConsoleRefusedError && error.status === 401;
}
