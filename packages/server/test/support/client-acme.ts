import type { ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import { acme, alice, bob, botApp } from "./acme.ts";
import { type Answer, type Sending, send } from "./http.ts";
import type { World } from "./world.ts";

export const carol = { tenantId: "t_acme", username: "carol", password: "carol's password" };
/** The base of the client API. */
export const CLIENT = "/api/client/v1";

/** Acme with dave (who has no password), erin and frank (who only sign in), and several bots. */
export function clientAcme(): ProvisioningFile {
  const file = acme(
    botApp("app_bot"),
    botApp("app_gone", { installations: [{ targetType: "USER", targetId: "u_alice" }] }),
    botApp("app_pages", { installations: [{ targetType: "GROUP", targetId: "g_pages" }] }),
  );
  const member = (username: string, password?: string) => ({
    tenant: "t_acme",
    userId: `u_${username}`,
    username,
    name: username,
    password,
  });
  return {
    ...file,
    members: [...(file.members ?? []), member("dave"), member("erin", "erin's"), member("frank", "frank's")],
    groups: [...(file.groups ?? []), { id: "g_pages", tenant: "t_acme", name: "Pages", members: ["bob"] }],
  };
}

/** Tries to sign in; returns the raw answer. */
export function logIn(world: World, account: unknown, other: Sending = {}): Promise<Answer> {
  return send(`${world.url}${CLIENT}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
    ...other,
  });
}

/**
 * Conversations of {@link clientAcme} that are not the account's, for each case a sentence, the account and the id.
 *
 * @param otherBot an application that was never installed for alice.
 */
export function foreignConversations(otherBot: string) {
  return [
    ["carol in a group that is not hers", carol, "group:g_team"],
    ["alice in a group of others", alice, "group:g_other"],
    ["alice in a group that does not exist", alice, "group:g_nowhere"],
    ["bob in alice's conversation with a bot", bob, "bot:app_bot"],
    ["alice with a bot that was never installed for her", alice, `bot:${otherBot}`],
    ["alice with a bot that does not exist", alice, "bot:app_nowhere"],
    ["alice under the key her conversation is kept by", alice, "direct:app_bot:u_alice"],
    ["bob under the key of alice's conversation", bob, "direct:app_bot:u_alice"],
    ["alice with a group named as a bot", alice, "bot:g_team"],
    ["alice under no kind at all", alice, "g_team"],
  ] as const;
}
