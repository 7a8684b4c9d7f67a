import { ApiRefusedError, bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import type { Member } from "@portico/protocol/schemas";
import { renewingExchange } from "./renewing-exchange.ts";
import { type Login, Session } from "./session.ts";

/** A member's login. */
export interface MemberLogin extends Login {
  user: Member;
}

const baseUrl = location.origin;
/** The member's login in this page; messenger and desk share it. It ends with the page. */
export const memberSession = new Session<MemberLogin>("member", {
  renew: async () => null,
  logout: async () => {},
});

/** Carries out the calls of an API that takes the member's token. */
export const memberExchange = renewingExchange(
  memberSession,
  bearerExchange({ baseUrl, token: memberSession.token }),
  isSignedOut,
);

/** The members' API, as the member who is signed in. */
export const memberApi = createApiClient(CLIENT_ENDPOINTS, memberExchange);

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiRefusedError && error.httpStatus === 401;
}
