import type { Member } from "@portico/protocol";
import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import type { MemberLogin } from "./member-settings.ts";

/** The name of the cookie with a member's refresh token (docs/contract/client.md#signing-in). */
const REFRESH_COOKIE = "portico_member_refresh";
/** Short, so that a finished command does not wait long for its logout. */
const END_TIMEOUT_MS = 5_000;

/** The result of a member's login or of its refresh. */
export interface MemberSession {
  /** Valid for days; never written to disk. */
  accessToken: string;
  /** Can be used once to refresh the login; undefined when the service sent none. */
  refreshToken: string | undefined;
  user: Member;
}

/** Logs a member in with a password. */
export async function beginMemberSession({ baseUrl, ...body }: MemberLogin): Promise<MemberSession> {
  const { client, refreshToken } = signInClient({ baseUrl });
  const login = await client.login({ body });
  return { ...login, refreshToken: refreshToken() };
}

/** Refreshes a login. The refresh token is used up; the session contains a new one. */
export async function renewMemberSession(baseUrl: string, usedUp: string): Promise<MemberSession> {
  const { client, refreshToken } = signInClient({ baseUrl, usedUp });
  const login = await client.refresh();
  return { ...login, refreshToken: refreshToken() };
}

/** Ends a login with all its tokens. */
export async function endMemberSession(baseUrl: string, refreshToken: string): Promise<void> {
  await signInClient({ baseUrl, usedUp: refreshToken, timeoutMs: END_TIMEOUT_MS }).client.logout();
}

/** A client of the client API that sends a refresh token, and the one that its last answer has set. */
function signInClient({ usedUp, ...options }: { baseUrl: string; usedUp?: string; timeoutMs?: number }) {
  let newest: string | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (usedUp !== undefined) headers.set("Cookie", `${REFRESH_COOKIE}=${usedUp}`);
    const response = await globalThis.fetch(input, { ...init, headers });
    newest = refreshTokenIn(response.headers);
    return response;
  };
  return {
    client: createApiClient(CLIENT_ENDPOINTS, bearerExchange({ ...options, fetch })),
    refreshToken: () => newest,
  };
}

function refreshTokenIn(headers: Headers): string | undefined {
  const cookie = headers.getSetCookie().find((each) => each.startsWith(`${REFRESH_COOKIE}=`));
  return cookie?.slice(REFRESH_COOKIE.length + 1).split(";", 1)[0] || undefined;
}
