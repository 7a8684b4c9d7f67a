import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { listMemberLogins } from "../../../domain/accounts/member-login-store.ts";
import { hashOfToken } from "../../../domain/accounts/refresh-tokens.ts";
import type { ClientRoute } from "../../common/member-route.ts";

/** GET sessions: where the member is signed in. */
export const listSessions: ClientRoute<typeof CLIENT_ENDPOINTS.listSessions> = {
  endpoint: CLIENT_ENDPOINTS.listSessions,
  async handle({ storage, clock }, { member, accessToken }) {
    return { items: await listMemberLogins(storage.db, member.userId, hashOfToken(accessToken), clock.now()) };
  },
};
