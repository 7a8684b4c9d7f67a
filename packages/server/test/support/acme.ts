import type { AppEntry, ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import type { Answer, Credentials, SignedSending } from "./http.ts";
import { sendSigned } from "./http.ts";
import type { World } from "./world.ts";

export const MESSAGES = "/api/open/v2/bot/messages";
export const INSTALLATIONS = "/api/open/v2/bot/installations";
export const APPS = "/api/open/v2/bot/apps";

export const alice = { tenantId: "t_acme", username: "alice", password: "alice's password" };
export const bob = { tenantId: "t_acme", username: "bob", password: "bob's password" };

/** Credentials that {@link botApp} gives an application. */
export function credentialsOf(appId: string): Credentials {
  return { appId, credentialId: `cred_${appId}`, appSecret: `the secret of ${appId} ✓` };
}

/** A BOT application with all scopes, installed in the team and for alice; the members of `other` replace these. */
export function botApp(appId: string, other: Partial<AppEntry> = {}): AppEntry {
  const { credentialId, appSecret } = credentialsOf(appId);
  return {
    appId,
    type: "BOT",
    tenant: "t_acme",
    status: "ACTIVE",
    profile: { displayName: `Bot ${appId}`, avatar: "" },
    credentials: [{ credentialId, appSecret }],
    scopes: ["bot.profile.read", "bot.installation.read", "bot.message.send", "bot.message.reply", "event.bot.message"],
    quota: { perMinute: 1_000_000, perDay: 100_000_000, concurrent: 10_000 },
    installations: [
      { targetType: "GROUP", targetId: "g_team" },
      { targetType: "USER", targetId: "u_alice" },
    ],
    ...other,
  };
}

/** Acme: alice and bob in a team, carol outside it, and the given applications. */
export function acme(...apps: AppEntry[]): ProvisioningFile {
  const tenant = "t_acme";
  return {
    tenants: [
      { id: tenant, name: "Acme" },
      { id: "t_other", name: "Other" },
    ],
    members: [
      { tenant, userId: "u_alice", username: "alice", name: "Alice", password: alice.password },
      { tenant, userId: "u_bob", username: "bob", name: "Bob", password: bob.password },
      { tenant, userId: "u_carol", username: "carol", name: "Carol", password: "carol's password" },
    ],
    groups: [
      { id: "g_team", tenant, name: "Team", members: ["alice", "bob"] },
      { id: "g_other", tenant, name: "Other", members: ["carol"] },
    ],
    apps,
  };
}

/** A text to the team. */
export function textBody(text: string, other: Record<string, unknown> = {}): string {
  return JSON.stringify({
    receiveIdType: "group_id",
    receiveId: "g_team",
    msgType: "text",
    content: { text },
    ...other,
  });
}

/** Sends a signed call to the world's first process, with its clock's time. */
export function call(
  world: World,
  appId: string,
  sending: Partial<SignedSending> & { target: string },
): Promise<Answer> {
  return sendSigned(world.url, credentialsOf(appId), { timestamp: world.clock.now(), ...sending });
}

/** Sends a text to the team. */
export function sendText(world: World, appId: string, text: string, other?: Partial<SignedSending>): Promise<Answer> {
  return call(world, appId, { method: "POST", target: MESSAGES, body: textBody(text), ...other });
}
