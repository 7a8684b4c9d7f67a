import type { Login, SessionApi } from "./session.ts";

/** The calls of an API that renew and end a login by its cookie, without a token. */
interface CookieCalls<L extends Login> {
  refresh(): Promise<L>;
  logout(): Promise<unknown>;
}

/** How a session speaks to an API that keeps the login in a cookie. */
export function byCookie<L extends Login>(
  calls: CookieCalls<L>,
  { isSignedOut, personOf }: { isSignedOut(error: unknown): boolean; personOf(login: L): string },
): SessionApi<L> {
  return {
    async renew() {
      try {
        return await calls.refresh();
      } catch (error) {
        if (isSignedOut(error)) return null;
        throw error;
      }
    },
    async logout() {
      await calls.logout();
    },
    personOf,
  };
}
