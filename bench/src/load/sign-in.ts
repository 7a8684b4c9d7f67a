import {
  type ApiClient,
  bearerExchange,
  type ConsoleCallOptions,
  consoleExchange,
  createApiClient,
} from "@portico/protocol/client";
import { CLIENT_ENDPOINTS, CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";

/** A member's account. */
export interface Account {
  tenantId: string;
  username: string;
  password: string;
}

/** A developer's account. */
export interface DeveloperAccount {
  phone: string;
  password: string;
  channelId: number;
}

/** Signs a member in to the service on `port` of 127.0.0.1; returns the access token. */
export async function signInMember(port: number, account: Account): Promise<string> {
  const client = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl: originOf(port) }));
  return (await client.login({ body: account })).accessToken;
}

/** Signs a developer in to the console on `port` of 127.0.0.1; returns the access token. */
export async function signInDeveloper(port: number, account: DeveloperAccount): Promise<string> {
  const client = createApiClient(CONSOLE_ENDPOINTS, consoleExchange({ baseUrl: originOf(port) }));
  const login = await client.login({ body: account });
  if ("secondFactor" in login) throw new Error("the developer of the load has a second factor");
  return login.accessToken;
}

/** The console API as seen by a developer who is signed in. */
export function consoleOf(port: number, accessToken: string): ApiClient<typeof CONSOLE_ENDPOINTS, ConsoleCallOptions> {
  return createApiClient(CONSOLE_ENDPOINTS, consoleExchange({ baseUrl: originOf(port), accessToken }));
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
