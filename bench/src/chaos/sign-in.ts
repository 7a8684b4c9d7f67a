import {
  type ApiClient,
  bearerExchange,
  type ConsoleCallOptions,
  consoleExchange,
  createApiClient,
} from "@portico/protocol/client";
import { CLIENT_ENDPOINTS, CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { DEVELOPER } from "./world.ts";

const TIMEOUT_MS = 20_000;
/** Far shorter than the life of a token. */
const KEEP_MS = 30_000;

interface Account {
  tenantId: string;
  username: string;
  password: string;
}

const tokens = new Map<string, { token: Promise<string>; until: number }>();

/** A member's access token, which is kept for a while: a sign-in costs as much as a hundred calls. */
export async function signInMember(url: string, account: Account): Promise<string> {
  return await kept(`member ${account.username}`, async () => {
    const client = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl: url, timeoutMs: TIMEOUT_MS }));
    return (await client.login({ body: account })).accessToken;
  });
}

/** The console through a process, as the developer. */
export async function consoleAt(url: string): Promise<ApiClient<typeof CONSOLE_ENDPOINTS, ConsoleCallOptions>> {
  const accessToken = await kept("developer", async () => {
    const client = createApiClient(CONSOLE_ENDPOINTS, consoleExchange({ baseUrl: url, timeoutMs: TIMEOUT_MS }));
    const login = await client.login({ body: DEVELOPER });
    if ("secondFactor" in login) throw new Error("the developer of the load has a second factor");
    return login.accessToken;
  });
  return createApiClient(CONSOLE_ENDPOINTS, consoleExchange({ baseUrl: url, accessToken, timeoutMs: TIMEOUT_MS }));
}

/** Concurrent callers share one sign-in; a failed one is not kept. */
async function kept(who: string, signIn: () => Promise<string>): Promise<string> {
  const known = tokens.get(who);
  if (known !== undefined && performance.now() < known.until) return await known.token;
  const token = signIn();
  tokens.set(who, { token, until: performance.now() + KEEP_MS });
  token.catch(() => tokens.delete(who));
  return await token;
}

/** Forgets all tokens, which are those of one database. */
export function forgetTokens(): void {
  tokens.clear();
}
