import { MEMBER } from "../webhook/world.ts";

/** The bot to which the member writes. */
export const BUSY_APP_ID = "app_busy";
const SECRET = "a secret of the bench";

/** The credential of an application of {@link socketWorld}. */
export function credentialOf(appId: string) {
  return { appId, credentialId: `cred_${appId}`, appSecret: SECRET };
}

/** The ids of `count` bots that are only connected. */
export function idleApps(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `app_idle_${number}`);
}

/** A provisioning file with the bot that gets events, and those that are only connected. */
export function socketWorld(idle: number): object {
  return {
    tenants: [{ id: MEMBER.tenantId, name: "Bench" }],
    members: [
      {
        tenant: MEMBER.tenantId,
        userId: MEMBER.userId,
        username: MEMBER.username,
        name: MEMBER.name,
        password: MEMBER.password,
      },
    ],
    apps: [BUSY_APP_ID, ...idleApps(idle)].map((appId) => ({
      appId,
      type: "BOT",
      tenant: MEMBER.tenantId,
      status: "ACTIVE",
      scopes: ["event.bot.message"],
      credentials: [{ credentialId: `cred_${appId}`, appSecret: SECRET }],
      installations: appId === BUSY_APP_ID ? [{ targetType: "USER", targetId: MEMBER.userId }] : [],
    })),
  };
}
