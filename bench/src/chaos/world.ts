/** The tenant of everything in a run. */
const TENANT_ID = "t_chaos";
export const DEVELOPER = { phone: "13800000000", password: "the developer's password", channelId: 1 };
/** Members; the password of each is the username, the userId `u_` and the username. */
export const MEMBERS = ["alice", "bob", "carol"].map((username) => {
  return { tenantId: TENANT_ID, username, password: username };
});
export const GROUP_IDS = ["g_1", "g_2", "g_3", "g_4"];
export const BOT = signer("app_bot");
/** A bot with a daily quota that its load exceeds. */
export const LIMITED_BOT = signer("app_limited");
export const LIMITED_PER_DAY = 300;
export const DESK = signer("app_desk");
export const AGENT = "carol";
/** The event of a message to the bot, and of a visitor's message. */
export const BOT_EVENT = "im.message.receive_v1";
export const DESK_EVENT = "customer.message.created_v1";

/** The first member, who is in all groups. */
export function reader() {
  const [first] = MEMBERS;
  if (first === undefined) throw new Error("there are no members");
  return first;
}

function signer(appId: string) {
  return { appId, credentialId: `cred_${appId}`, appSecret: `the secret of ${appId}, which is long enough` };
}

/** Counted, but never reached. */
const AMPLE = { perMinute: 1e9, perDay: 1e12, concurrent: 1e6 };

function application({ appId, credentialId, appSecret }: ReturnType<typeof signer>, more: object) {
  const common = { appId, tenant: TENANT_ID, owner: DEVELOPER.phone, status: "ACTIVE", quota: AMPLE };
  return { ...common, credentials: [{ credentialId, appSecret }], ...more };
}

const installations = GROUP_IDS.map((targetId) => ({ targetType: "GROUP", targetId }));

/** The provisioning file. */
export const WORLD = {
  tenants: [{ id: TENANT_ID, name: "Chaos" }],
  members: MEMBERS.map(({ username, password }) => {
    return { tenant: TENANT_ID, userId: `u_${username}`, username, name: username, password };
  }),
  groups: GROUP_IDS.map((id) => {
    return { id, tenant: TENANT_ID, name: id, members: MEMBERS.map(({ username }) => username) };
  }),
  developers: [{ ...DEVELOPER, name: "Developer", tenants: [TENANT_ID] }],
  apps: [
    application(BOT, {
      type: "BOT",
      scopes: ["bot.message.send", "bot.message.reply", "event.bot.message"],
      installations: [
        ...installations,
        ...MEMBERS.map(({ username }) => ({ targetType: "USER", targetId: `u_${username}` })),
      ],
    }),
    application(LIMITED_BOT, {
      type: "BOT",
      scopes: ["bot.message.send"],
      quota: { ...AMPLE, perDay: LIMITED_PER_DAY },
      installations: installations.slice(0, 1),
    }),
    application(DESK, {
      type: "CUSTOMER_SERVICE",
      scopes: [
        "customer.visitor.manage",
        "customer.session.manage",
        "customer.message.send",
        "customer.message.read",
        "event.customer.message",
      ],
      agents: [AGENT],
    }),
  ],
};
