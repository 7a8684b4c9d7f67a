import type { Sender } from "../load/signed-requests.ts";

/** The tenant of all entries. */
const TENANT_ID = "t_bench";
/** Members. The password of each is the username, the userId is `u_` and the username. */
const MEMBERS = ["alice", "bob", "mallory"].map((username) => {
  return { tenantId: TENANT_ID, username, password: username };
});
/** The developer who owns the applications. */
export const OWNER = { phone: "13800000000", password: "the owner's password", channelId: 1 };
/** A customer service with the agents alice and bob. */
export const DESK = { appId: "app_desk", credentialId: "cred_desk", appSecret: "the secret of the desk" };

/** Quotas that are counted but never reached. */
const QUOTA = { perMinute: 1e9, perDay: 1e12, concurrent: 1e6 };

/**
 * A provisioning file with a well-behaved bot in a group of all members and a customer service. The entries that a
 * scenario adds are appended to each list.
 */
export function attackedWorld(
  { appId, credentialId, appSecret, groupId }: Sender,
  more: Record<string, object[]> = {},
): Record<string, object[]> {
  const app = { tenant: TENANT_ID, owner: OWNER.phone, status: "ACTIVE", quota: QUOTA };
  const world: Record<string, object[]> = {
    tenants: [{ id: TENANT_ID, name: "Bench" }],
    members: MEMBERS.map(({ username, password }) => {
      return { tenant: TENANT_ID, userId: `u_${username}`, username, name: username, password };
    }),
    groups: [{ id: groupId, tenant: TENANT_ID, name: "Bench", members: MEMBERS.map(({ username }) => username) }],
    developers: [{ ...OWNER, name: "Owner", tenants: [TENANT_ID] }],
    apps: [
      {
        ...app,
        appId,
        type: "BOT",
        credentials: [{ credentialId, appSecret }],
        scopes: ["bot.message.send", "bot.installation.read"],
        installations: [{ targetType: "GROUP", targetId: groupId }],
      },
      {
        ...app,
        appId: DESK.appId,
        type: "CUSTOMER_SERVICE",
        credentials: [{ credentialId: DESK.credentialId, appSecret: DESK.appSecret }],
        scopes: [
          "customer.visitor.manage",
          "customer.session.manage",
          "customer.message.send",
          "customer.message.read",
        ],
        agents: ["alice", "bob"],
      },
    ],
  };
  for (const [list, entries] of Object.entries(more)) world[list] = [...(world[list] ?? []), ...entries];
  return world;
}
