/** The member who writes to the applications. */
export const MEMBER = { userId: "u_alice", username: "alice", name: "Alice", tenantId: "t_bench", password: "alice" };
/** The application whose deliveries are measured. */
export const APP_ID = "app_bench";
/** An application whose receiver hangs. */
export const HANGING_APP_ID = "app_hanging";

/** A provisioning file with both applications, each installed for the member. */
export const WORLD = {
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
  apps: [APP_ID, HANGING_APP_ID].map((appId) => ({
    appId,
    type: "BOT",
    tenant: MEMBER.tenantId,
    status: "ACTIVE",
    scopes: ["event.bot.message"],
    installations: [{ targetType: "USER", targetId: MEMBER.userId }],
  })),
};
