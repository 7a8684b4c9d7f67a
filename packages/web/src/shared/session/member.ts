import {
  ApiRefusedError,
  type BearerCallOptions,
  bearerExchange,
  createApiClient,
  type Exchange,
} from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import type { Member } from "@portico/protocol/schemas";
import { byCookie } from "./cookie-login.ts";
import { renewingExchange } from "./renewing-exchange.ts";
import { type Login, Session } from "./session.ts";

/** A member's login. */
export interface MemberLogin extends Login {
  user: Member;
}

const baseUrl = location.origin;
const cookieOnly = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl }));

/** The member's login in this page; messenger and desk share it. */
export const memberSession = new Session<MemberLogin>(
  "member",
  byCookie(cookieOnly, { isSignedOut, personOf: ({ user }) => user.userId }),
);

/** An upload over a slow line may take long; what stands still is ended earlier where the progress is known. */
const UPLOAD_TIMEOUT_MS = 1_800_000;

/** Carries out the calls of an API that takes the member's token. */
export function memberExchange({
  fetch = globalThis.fetch,
}: {
  fetch?: typeof globalThis.fetch;
} = {}): Exchange<BearerCallOptions> {
  const exchange = bearerExchange({
    baseUrl,
    token: memberSession.token,
    fetch,
    uploadTimeoutMs: UPLOAD_TIMEOUT_MS,
  });
  return renewingExchange(memberSession, exchange, isSignedOut);
}

/** The members' API, as the member who is signed in. */
export const memberApi = createApiClient(CLIENT_ENDPOINTS, memberExchange());

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiRefusedError && error.httpStatus === 401;
}
