import { sql } from "kysely";
import { LoginTable } from "./login-table.ts";

/** The members' logins. Their access tokens name the member too: those from before there were logins belong to none. */
export const MEMBER_LOGINS = new LoginTable({
  logins: "member_logins",
  tokens: "member_tokens",
  accounts: "members",
  accountId: "user_id",
  tokensOfAccount: { accountId: "user_id", max: 100 },
  ended: sql<{ userId: string }>`user_id as "userId"`,
});
