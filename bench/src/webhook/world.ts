/** The member who writes to the applications. */
export const MEMBER = { userId: "u_alice", username: "alice", name: "Alice", tenantId: "t_bench", password: "alice" };
/** The application whose deliveries are measured. */
export const APP_ID = "app_bench";
/** An application whose receiver hangs. */
export const HANGING_APP_ID = "app_hanging";

/** Members who write side by side. */
export const WRITERS = Array.from({ length: 8 }, (_, n) => ({
  userId: `u_writer${n}`,
  username: `writer${n}`,
  name: `Writer ${n}`,
  tenantId: MEMBER.tenantId,
  password: `writer${n}`,
}));

const MEMBERS = [MEMBER, ...WRITERS];

/** A provisioning file with both applications, each installed for all members. */
export const WORLD = {
  tenants: [{ id: MEMBER.tenantId, name: "Bench" }],
  members: MEMBERS.map(({ tenantId, ...member }) => ({ tenant: tenantId, ...member })),
  apps: [APP_ID, HANGING_APP_ID].map((appId) => ({
    appId,
    type: "BOT",
    tenant: MEMBER.tenantId,
    status: "ACTIVE",
    scopes: ["event.bot.message"],
    installations: MEMBERS.map(({ userId }) => ({ targetType: "USER", targetId: userId })),
  })),
};
