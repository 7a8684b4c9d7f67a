import type { ConsoleAccess } from "@portico/protocol/endpoints";
import { addDeveloperIdentity, addMemberIdentity } from "../../src/domain/accounts/oidc/identity-store.ts";
import { listDeveloperIdentities, listMemberIdentities } from "../../src/domain/accounts/oidc/linked-identities.ts";
import { hashOfToken } from "../../src/domain/accounts/refresh-tokens.ts";
import { insertChallenge } from "../../src/domain/accounts/second-factor/challenge-store.ts";
import { confirmFactor, deleteFactor, putUnconfirmed } from "../../src/domain/accounts/second-factor/factor-store.ts";
import { markOf } from "../../src/domain/accounts/second-factor/sign-in.ts";
import { insertVisitor, setVisitorStatus } from "../../src/domain/customer-service/visitor-store.ts";
import { credentialsOf } from "./acme.ts";
import { callWith, create, operator } from "./app-life.ts";
import { ConsoleClient, consoleCall, logIn, owner, refreshTokenOf, seedDeliveries } from "./console.ts";
import { challengeOf, codeAt, STEP_MS } from "./second-factor.ts";
import type { World } from "./world.ts";

/** The input with which a call of a route succeeds. */
export interface Prepared {
  /** Path parameters; the default appId is {@link APP}. */
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A route of the console API and how to call it. */
export interface RouteRow {
  /** As registered, relative to the base: `GET /apps/:appId`. */
  route: string;
  access: ConsoleAccess;
  /** The action that a success writes to the audit log; null when it changes nothing. */
  audit: string | null;
  /** Whether the route needs the tenant header. */
  tenant?: true;
  /** Creates the preconditions of one successful call. */
  prepare?(kit: Kit): Promise<Prepared> | Prepared;
}

/** An ACTIVE application of the owner. */
export const APP = "app_bot";
/** A CUSTOMER_SERVICE application of the owner. */
export const SERVICE_APP = "app_service";
/** An address on which nothing listens but which may be called: {@link CALLBACK_NETWORK}. */
const CALLBACK = "https://127.0.0.1:9/";
export const CALLBACK_NETWORK = "127.0.0.0/8";

const EVENT = "im.message.receive_v1";
const CARD = { schema: "2.0", body: { elements: [] } };

/** Helpers with which rows prepare their calls. */
export class Kit {
  readonly world: World;
  readonly owner: ConsoleClient;
  readonly operator: ConsoleClient;
  static #count = 0;

  private constructor(world: World, asOwner: ConsoleClient, asOperator: ConsoleClient) {
    this.world = world;
    this.owner = asOwner.in("t_acme");
    this.operator = asOperator.in("t_acme");
  }

  static async create(world: World): Promise<Kit> {
    return new Kit(world, await ConsoleClient.logIn(world), await ConsoleClient.logIn(world, operator));
  }

  /** A new number. */
  next(): number {
    return ++Kit.#count;
  }

  /** A new application of the owner that is not submitted yet. */
  async unpublished(): Promise<string> {
    return (await create(this.owner)).appId;
  }

  async submitted(): Promise<string> {
    const appId = await this.unpublished();
    await this.owner.ok("POST", `apps/${appId}/submit`);
    return appId;
  }

  async active(): Promise<string> {
    const appId = await this.submitted();
    await this.operator.ok("POST", `operator/reviews/${appId}/approve`);
    return appId;
  }

  async subscribed(): Promise<Prepared> {
    await this.owner.ok("PUT", `apps/${APP}/subscriptions/${EVENT}`, { callbackUrl: CALLBACK });
    return { params: { eventType: EVENT } };
  }

  /** A delivery that can be sent again. */
  async delivered(): Promise<string> {
    await this.subscribed();
    const eventId = `evt_${this.next()}`;
    await seedDeliveries(this.world, APP, [{ eventId }]);
    return eventId;
  }

  /** A redelivery job that no process works on now. */
  async job(): Promise<string> {
    const jobId = `rdj_${this.next()}`;
    const row = {
      job_id: jobId,
      app_id: APP,
      selection: "{}",
      state: "RUNNING" as const,
      position: 0,
      upper: 0,
      total: 0,
      redelivered: 0,
      skipped: 0,
      created_at: this.world.clock.now(),
      lease_until: Number.MAX_SAFE_INTEGER,
    };
    await this.world.portico.ctx.storage.write(async (tx) => {
      await tx.insertInto("redelivery_jobs").values(row).execute();
    });
    return jobId;
  }

  async template(): Promise<string> {
    const { cardId } = await this.owner.ok("POST", `apps/${APP}/card-templates`, { name: "Card", card: CARD });
    return cardId;
  }

  async member(): Promise<{ userId: string; username: string }> {
    return await this.operator.ok("POST", "operator/members", { username: `member_${this.next()}` });
  }

  async group(members: string[] = []): Promise<string> {
    const { groupId } = await this.operator.ok("POST", "operator/groups", { name: "Group", members });
    return groupId;
  }

  /** A visitor of {@link SERVICE_APP}. */
  async visitor(status: 0 | 1 = 1): Promise<string> {
    const visitorId = `v_${this.next()}`;
    const { clock, portico } = this.world;
    await portico.ctx.storage.write(async (tx) => {
      const visitor = { visitorId, appId: SERVICE_APP, thirdUserId: visitorId, now: clock.now() };
      await insertVisitor(tx, visitor);
      if (status === 0) await setVisitorStatus(tx, SERVICE_APP, visitorId, 0);
    });
    return visitorId;
  }

  /** A canned reply of the service application. */
  async cannedReply(): Promise<string> {
    const body = { shortcut: `s${this.next()}`, text: "Hello" };
    return (await this.owner.ok("POST", `apps/${SERVICE_APP}/canned-replies`, body)).replyId;
  }

  /** The body that adds a new developer. */
  newcomer(): Record<string, unknown> {
    return { phone: `1370000${this.next()}`, channelId: 1, name: "New", password: "a long password" };
  }

  /** Has the owner's second factor be on, or begun, or off; a code that is good now. */
  async factor(state: "off" | "begun" | "on"): Promise<string> {
    const { ctx } = this.world.portico;
    const { developerId } = await this.owner.ok("GET", "me");
    await ctx.storage.write(async (tx) => void (await deleteFactor(tx, developerId)));
    if (state === "off") return "";
    const { secret } = await this.owner.ok("POST", "me/second-factor", { password: owner.password });
    if (state === "on") {
      const code = codeAt(secret, this.world.clock.now());
      await this.owner.ok("POST", "me/second-factor/confirm", { code });
      this.world.clock.turn(STEP_MS);
    }
    return codeAt(secret, this.world.clock.now());
  }

  /** A sign-in of the owner that has to set a second factor up. */
  async enrolling(): Promise<string> {
    const { ctx } = this.world.portico;
    await this.factor("off");
    const { developerId } = await this.owner.ok("GET", "me");
    const challenge = `challenge_${this.next()}`;
    const expiresAt = this.world.clock.now() + 60_000;
    const { passwordHash } = await ctx.storage.db
      .selectFrom("developers")
      .select("password_hash as passwordHash")
      .where("developer_id", "=", developerId)
      .executeTakeFirstOrThrow();
    const passwordMark = markOf(passwordHash);
    const row = { developerId, step: "enrol", method: "password", passwordMark } as const;
    const nobody = { userId: null, memberSession: null };
    await ctx.storage.write((tx) =>
      insertChallenge(tx, { ...row, ...nobody, hash: hashOfToken(challenge), expiresAt }),
    );
    return challenge;
  }

  /** The reqNo of a signed call. */
  async called(): Promise<string> {
    return (await callWith(this.world, credentialsOf(APP))).json.reqNo;
  }

  /** The cookie of a login of the owner. */
  async cookie(): Promise<Prepared> {
    return { headers: { cookie: `open_refresh_token=${refreshTokenOf(await logIn(this.world, owner))}` } };
  }
}

/** The proof that a change of the second factor needs. */
const withProof = {
  prepare: async (kit: Kit) => ({ body: { password: owner.password, code: await kit.factor("on") } }),
};
const ofEvent = { prepare: (kit: Kit) => kit.subscribed() };
const ofApp = (choose: (kit: Kit) => Promise<string>, body?: unknown) => ({
  prepare: async (kit: Kit) => ({ params: { appId: await choose(kit) }, body }),
});
const withBody = (body: unknown) => ({ prepare: () => ({ body }) });
const ofTemplate = { prepare: async (kit: Kit) => ({ params: { cardId: await kit.template(), version: "1" } }) };
const ofDelivery = { prepare: async (kit: Kit) => ({ params: { eventId: await kit.delivered() } }) };
const ofJob = { prepare: async (kit: Kit) => ({ params: { jobId: await kit.job() } }) };
const ofRequest = { prepare: async (kit: Kit) => ({ params: { reqNo: await kit.called() } }) };
const ofService = { tenant: true, prepare: () => ({ params: { appId: SERVICE_APP } }) } as const;

/** All routes of the console API. The permissions of a route that is not listed here are not tested. */
export const ROUTES: RouteRow[] = [
  { route: "GET /auth/methods", access: "public", audit: null },
  { route: "POST /auth/login", access: "public", audit: "session.start", ...withBody(owner) },
  { route: "POST /auth/refresh", access: "public", audit: null, prepare: (kit) => kit.cookie() },
  { route: "POST /auth/logout", access: "public", audit: "session.end", prepare: (kit) => kit.cookie() },
  { route: "POST /auth/qr/generate", access: "public", audit: null },
  {
    route: "GET /auth/qr/status",
    access: "public",
    audit: null,
    async prepare({ world }) {
      const { qrToken } = (await consoleCall(world, "POST", "auth/qr/generate")).json;
      return { query: `?qrToken=${qrToken}` };
    },
  },

  {
    route: "POST /auth/second-factor",
    access: "public",
    audit: "session.start",
    async prepare(kit) {
      const code = await kit.factor("on");
      return { body: { challenge: await challengeOf(kit.world, owner), code } };
    },
  },
  {
    route: "POST /auth/second-factor/enrol",
    access: "public",
    audit: null,
    prepare: async (kit) => ({ body: { challenge: await kit.enrolling() } }),
  },
  {
    route: "POST /auth/second-factor/enrol/confirm",
    access: "public",
    audit: "second-factor.enable",
    async prepare(kit) {
      const challenge = await kit.enrolling();
      const { secret } = (await consoleCall(kit.world, "POST", "auth/second-factor/enrol", { body: { challenge } }))
        .json;
      return { body: { challenge, code: codeAt(secret, kit.world.clock.now()) } };
    },
  },
  { route: "GET /me/second-factor", access: "developer", audit: null },
  {
    route: "POST /me/second-factor",
    access: "developer",
    audit: "second-factor.begin",
    async prepare(kit) {
      await kit.factor("off");
      return { body: { password: owner.password } };
    },
  },
  {
    route: "POST /me/second-factor/confirm",
    access: "developer",
    audit: "second-factor.enable",
    prepare: async (kit) => ({ body: { code: await kit.factor("begun") } }),
  },
  {
    route: "POST /me/second-factor/recovery-codes",
    access: "developer",
    audit: "second-factor.recovery-codes",
    ...withProof,
  },
  { route: "DELETE /me/second-factor", access: "developer", audit: "second-factor.disable", ...withProof },
  {
    route: "PUT /me/password",
    access: "developer",
    audit: "developer.change-password",
    ...withBody({ currentPassword: owner.password, newPassword: owner.password }),
  },
  { route: "GET /me/identities", access: "developer", audit: null },
  {
    route: "DELETE /me/identities/:identityId",
    access: "developer",
    audit: "developer.unlink",
    async prepare({ owner, world }) {
      const { developerId } = await owner.ok("GET", "me");
      const { storage, clock } = world.portico.ctx;
      const identity = { issuer: "https://idp.example", subject: developerId };
      await storage.write((tx) => addDeveloperIdentity(tx, developerId, identity, clock.now()));
      const [linked] = await listDeveloperIdentities(storage.db, developerId);
      return { params: { identityId: linked?.identityId ?? "" } };
    },
  },
  { route: "DELETE /sessions", access: "developer", audit: "session.end-all" },
  { route: "POST /sessions/end-others", access: "developer", audit: "session.end-others" },
  { route: "GET /me", access: "developer", audit: null },
  { route: "GET /sessions", access: "developer", audit: null },
  {
    route: "DELETE /sessions/:sessionId",
    access: "developer",
    audit: "session.revoke",
    async prepare({ world }) {
      const another = await ConsoleClient.logIn(world);
      const { items } = await another.ok("GET", "sessions");
      const own = items.find(({ current }: { current: boolean }) => current);
      return { params: { sessionId: own.sessionId } };
    },
  },
  { route: "GET /apps", access: "developer", audit: null },
  {
    route: "POST /apps",
    access: "developer",
    audit: "app.create",
    ...withBody({ type: "BOT", displayName: "New", tenantId: "t_acme" }),
  },

  { route: "GET /apps/:appId", access: "viewer", audit: null },
  {
    route: "PATCH /apps/:appId",
    access: "owner",
    audit: "app.update",
    prepare: (kit) => ({ body: { displayName: `Renamed ${kit.next()}` } }),
  },
  { route: "POST /apps/:appId/submit", access: "owner", audit: "app.submit", ...ofApp((kit) => kit.unpublished()) },
  { route: "DELETE /apps/:appId/submit", access: "owner", audit: "app.withdraw", ...ofApp((kit) => kit.submitted()) },
  { route: "GET /apps/:appId/credentials", access: "viewer", audit: null },
  {
    route: "POST /apps/:appId/credentials",
    access: "owner",
    audit: "credential.rotate",
    ...ofApp((kit) => kit.active()),
  },
  {
    route: "POST /apps/:appId/credentials/revoke-old",
    access: "owner",
    audit: "credential.revoke",
    ...ofApp(async (kit) => {
      const appId = await kit.active();
      await kit.owner.ok("POST", `apps/${appId}/credentials`);
      return appId;
    }),
  },
  { route: "GET /apps/:appId/scopes", access: "viewer", audit: null },
  {
    route: "POST /apps/:appId/scopes",
    access: "owner",
    audit: "scope.request",
    ...ofApp((kit) => kit.unpublished(), { scopes: ["bot.message.send"] }),
  },
  {
    route: "DELETE /apps/:appId/scopes/:scope",
    access: "owner",
    audit: "scope.drop",
    async prepare(kit) {
      const appId = await kit.unpublished();
      await kit.owner.ok("POST", `apps/${appId}/scopes`, { scopes: ["bot.message.send"] });
      return { params: { appId, scope: "bot.message.send" } };
    },
  },
  { route: "GET /apps/:appId/quota", access: "viewer", audit: null },
  { route: "GET /apps/:appId/audit", access: "viewer", audit: null },
  { route: "GET /apps/:appId/requests", access: "viewer", audit: null },
  { route: "GET /apps/:appId/requests/:reqNo", access: "viewer", audit: null, ...ofRequest },
  { route: "GET /apps/:appId/stats", access: "viewer", audit: null },

  { route: "GET /apps/:appId/subscriptions", access: "viewer", audit: null },
  {
    route: "PUT /apps/:appId/subscriptions/:eventType",
    access: "owner",
    audit: "subscription.put",
    prepare: () => ({ params: { eventType: EVENT }, body: { callbackUrl: CALLBACK } }),
  },
  {
    route: "DELETE /apps/:appId/subscriptions/:eventType",
    access: "owner",
    audit: "subscription.delete",
    ...ofEvent,
  },
  { route: "POST /apps/:appId/subscriptions/:eventType/verify", access: "owner", audit: null, ...ofEvent },
  { route: "GET /apps/:appId/deliveries", access: "viewer", audit: null },
  { route: "GET /apps/:appId/deliveries/:eventId", access: "viewer", audit: null, ...ofDelivery },
  {
    route: "POST /apps/:appId/events/:eventType/trigger",
    access: "owner",
    audit: "event.trigger",
    prepare: (kit) => kit.subscribed(),
  },
  { route: "GET /apps/:appId/rehearsal", access: "viewer", audit: null },
  {
    route: "PUT /apps/:appId/rehearsal",
    access: "owner",
    audit: "rehearsal.arm",
    prepare: () => ({ body: { fault: "CALL_FAILS" } }),
  },
  {
    route: "DELETE /apps/:appId/rehearsal",
    access: "owner",
    audit: "rehearsal.end",
    prepare: async (kit) => {
      await kit.owner.call("PUT", `apps/${APP}/rehearsal`, { fault: "CALL_FAILS" });
      return {};
    },
  },
  {
    route: "POST /apps/:appId/deliveries/:eventId/redeliver",
    access: "owner",
    audit: "delivery.redeliver",
    ...ofDelivery,
  },
  {
    route: "POST /apps/:appId/deliveries/redeliver",
    access: "owner",
    audit: "delivery.redeliver",
    prepare: async (kit) => ({ body: { eventIds: [await kit.delivered()] } }),
  },
  {
    route: "POST /apps/:appId/deliveries/redeliver",
    access: "owner",
    audit: "delivery.redeliver",
    ...withBody({ from: 0, to: 1 }),
  },
  { route: "GET /apps/:appId/redelivery-jobs/:jobId", access: "viewer", audit: null, ...ofJob },
  { route: "DELETE /apps/:appId/redelivery-jobs/:jobId", access: "owner", audit: "redelivery-job.cancel", ...ofJob },

  { route: "GET /apps/:appId/bot-installations", access: "viewer", audit: null, tenant: true },
  {
    route: "POST /apps/:appId/bot-installations",
    access: "viewer",
    audit: "installation.create",
    tenant: true,
    prepare: async (kit) => ({ body: { username: (await kit.member()).username } }),
  },
  {
    route: "DELETE /apps/:appId/bot-installations",
    access: "owner",
    audit: "installation.delete",
    tenant: true,
    async prepare(kit) {
      const { username } = await kit.member();
      await kit.owner.ok("POST", `apps/${APP}/bot-installations`, { username });
      return { body: { username } };
    },
  },
  { route: "GET /apps/:appId/bot-installation-members", access: "viewer", audit: null, tenant: true },
  { route: "GET /apps/:appId/agents", access: "viewer", audit: null, ...ofService },
  {
    route: "POST /apps/:appId/agents",
    access: "owner",
    audit: "agent.add",
    tenant: true,
    prepare: async (kit) => ({ params: { appId: SERVICE_APP }, body: { username: (await kit.member()).username } }),
  },
  {
    route: "PATCH /apps/:appId/agents/:username",
    access: "owner",
    audit: "agent.update",
    tenant: true,
    async prepare(kit) {
      const { username } = await kit.member();
      await kit.owner.ok("POST", `apps/${SERVICE_APP}/agents`, { username });
      return { params: { appId: SERVICE_APP, username }, body: { maxSessions: 3 } };
    },
  },
  {
    route: "DELETE /apps/:appId/agents/:username",
    access: "owner",
    audit: "agent.remove",
    tenant: true,
    async prepare(kit) {
      const { username } = await kit.member();
      await kit.owner.ok("POST", `apps/${SERVICE_APP}/agents`, { username });
      return { params: { appId: SERVICE_APP, username } };
    },
  },

  {
    route: "GET /apps/:appId/visitors",
    access: "viewer",
    audit: null,
    prepare: () => ({ params: { appId: SERVICE_APP } }),
  },
  {
    route: "PATCH /apps/:appId/visitors/:visitorId",
    access: "owner",
    audit: "visitor.disable",
    prepare: async (kit) => ({ params: { appId: SERVICE_APP, visitorId: await kit.visitor() }, body: { status: 0 } }),
  },
  {
    route: "PATCH /apps/:appId/visitors/:visitorId",
    access: "owner",
    audit: "visitor.enable",
    prepare: async (kit) => ({ params: { appId: SERVICE_APP, visitorId: await kit.visitor(0) }, body: { status: 1 } }),
  },
  {
    route: "POST /apps/:appId/visitors/:visitorId/export",
    access: "owner",
    audit: "visitor.export",
    prepare: async (kit) => ({ params: { appId: SERVICE_APP, visitorId: await kit.visitor() }, body: {} }),
  },
  {
    route: "POST /apps/:appId/visitors/:visitorId/erase",
    access: "owner",
    audit: "visitor.erase",
    prepare: async (kit) => ({ params: { appId: SERVICE_APP, visitorId: await kit.visitor() } }),
  },
  {
    route: "GET /apps/:appId/desk-stats",
    access: "viewer",
    audit: null,
    prepare: () => ({ params: { appId: SERVICE_APP } }),
  },
  {
    route: "GET /apps/:appId/canned-replies",
    access: "viewer",
    audit: null,
    prepare: () => ({ params: { appId: SERVICE_APP } }),
  },
  {
    route: "POST /apps/:appId/canned-replies",
    access: "owner",
    audit: "canned-reply.create",
    prepare: (kit) => ({ params: { appId: SERVICE_APP }, body: { shortcut: `s${kit.next()}`, text: "Hello" } }),
  },
  {
    route: "PATCH /apps/:appId/canned-replies/:replyId",
    access: "owner",
    audit: "canned-reply.update",
    prepare: async (kit) => ({
      params: { appId: SERVICE_APP, replyId: await kit.cannedReply() },
      body: { text: "Bye" },
    }),
  },
  {
    route: "DELETE /apps/:appId/canned-replies/:replyId",
    access: "owner",
    audit: "canned-reply.delete",
    prepare: async (kit) => ({ params: { appId: SERVICE_APP, replyId: await kit.cannedReply() } }),
  },

  { route: "GET /apps/:appId/card-templates", access: "viewer", audit: null },
  {
    route: "POST /apps/:appId/card-templates",
    access: "owner",
    audit: "template.create",
    ...withBody({ name: "Card", card: CARD }),
  },
  { route: "POST /apps/:appId/card-templates/preview", access: "viewer", audit: null, ...withBody({ card: CARD }) },
  { route: "POST /apps/:appId/card-templates/validate", access: "viewer", audit: null, ...withBody({ card: CARD }) },
  {
    route: "POST /apps/:appId/card-templates/send-to-me",
    access: "owner",
    audit: "card.send-to-me",
    ...withBody({ card: CARD }),
  },
  { route: "GET /apps/:appId/card-templates/:cardId", access: "viewer", audit: null, ...ofTemplate },
  {
    route: "PUT /apps/:appId/card-templates/:cardId",
    access: "owner",
    audit: "template.save",
    prepare: async (kit) => ({ params: { cardId: await kit.template() }, body: { card: CARD } }),
  },
  { route: "DELETE /apps/:appId/card-templates/:cardId", access: "owner", audit: "template.delete", ...ofTemplate },
  { route: "GET /apps/:appId/card-templates/:cardId/versions", access: "viewer", audit: null, ...ofTemplate },
  { route: "GET /apps/:appId/card-templates/:cardId/versions/:version", access: "viewer", audit: null, ...ofTemplate },

  { route: "GET /operator/reviews", access: "operator", audit: null },
  {
    route: "POST /operator/reviews/:appId/approve",
    access: "operator",
    audit: "review.approve",
    ...ofApp((kit) => kit.submitted()),
  },
  {
    route: "POST /operator/reviews/:appId/reject",
    access: "operator",
    audit: "review.reject",
    ...ofApp((kit) => kit.submitted(), { comment: "no" }),
  },
  { route: "GET /operator/apps", access: "operator", audit: null },
  { route: "GET /operator/apps/:appId", access: "operator", audit: null },
  {
    route: "POST /operator/apps/:appId/disable",
    access: "operator",
    audit: "app.disable",
    ...ofApp((kit) => kit.active(), { reason: "spam" }),
  },
  {
    route: "POST /operator/apps/:appId/enable",
    access: "operator",
    audit: "app.enable",
    ...ofApp(async (kit) => {
      const appId = await kit.active();
      await kit.operator.ok("POST", `operator/apps/${appId}/disable`, { reason: "spam" });
      return appId;
    }),
  },
  { route: "GET /operator/apps/:appId/quota", access: "operator", audit: null },
  {
    route: "PUT /operator/apps/:appId/quota",
    access: "operator",
    audit: "quota.set",
    ...ofApp((kit) => kit.unpublished(), { perMinute: 7, perDay: null, concurrent: null }),
  },
  { route: "GET /operator/requests/:reqNo", access: "operator", audit: null, ...ofRequest },
  { route: "GET /operator/audit", access: "operator", audit: null },
  { route: "GET /operator/health", access: "operator", audit: null },

  { route: "GET /operator/tenants", access: "operator", audit: null },
  { route: "POST /operator/tenants", access: "operator", audit: "tenant.create", ...withBody({ name: "New" }) },
  {
    route: "PATCH /operator/tenants/:tenantId",
    access: "operator",
    audit: "tenant.update",
    async prepare(kit) {
      const { tenantId } = await kit.operator.ok("POST", "operator/tenants", { name: "New" });
      return { params: { tenantId }, body: { name: "Newer" } };
    },
  },
  {
    route: "GET /operator/tenants/:tenantId/scim-tokens",
    access: "operator",
    audit: null,
    prepare: () => ({ params: { tenantId: "t_acme" } }),
  },
  {
    route: "POST /operator/tenants/:tenantId/scim-tokens",
    access: "operator",
    audit: "scim-token.create",
    prepare: () => ({ params: { tenantId: "t_acme" }, body: { name: "Entra" } }),
  },
  {
    route: "DELETE /operator/tenants/:tenantId/scim-tokens/:tokenId",
    access: "operator",
    audit: "scim-token.delete",
    async prepare(kit) {
      const { tokenId } = await kit.operator.ok("POST", "operator/tenants/t_acme/scim-tokens", { name: "Okta" });
      return { params: { tenantId: "t_acme", tokenId } };
    },
  },
  { route: "GET /operator/members", access: "operator", audit: null, tenant: true },
  {
    route: "POST /operator/members",
    access: "operator",
    audit: "member.create",
    tenant: true,
    prepare: (kit) => ({ body: { username: `created_${kit.next()}` } }),
  },
  {
    route: "POST /operator/members/import",
    access: "operator",
    audit: "member.create",
    tenant: true,
    prepare: (kit) => ({
      body: { members: [{ line: 2, username: `imported_${kit.next()}`, password: "long enough" }] },
    }),
  },
  ...(["update", "disable"] as const).map(
    (verb): RouteRow => ({
      route: "PATCH /operator/members/:userId",
      access: "operator",
      audit: `member.${verb}`,
      tenant: true,
      prepare: async (kit) => ({
        params: { userId: (await kit.member()).userId },
        body: verb === "update" ? { name: "Renamed" } : { disabled: true },
      }),
    }),
  ),
  {
    route: "GET /operator/tenants/:tenantId/members/:userId/identities",
    access: "operator",
    audit: null,
    prepare: () => ({ params: { tenantId: "t_acme", userId: "u_alice" } }),
  },
  {
    route: "DELETE /operator/tenants/:tenantId/members/:userId/identities/:identityId",
    access: "operator",
    audit: "member.unlink",
    async prepare(kit) {
      const { userId } = await kit.member();
      const identity = { issuer: "https://idp.example", subject: userId };
      const { storage, clock } = kit.world.portico.ctx;
      await storage.write((tx) => addMemberIdentity(tx, { tenantId: "t_acme", userId }, identity, clock.now()));
      const [linked] = await listMemberIdentities(storage.db, userId);
      return { params: { tenantId: "t_acme", userId, identityId: linked?.identityId ?? "" } };
    },
  },
  {
    route: "POST /operator/tenants/:tenantId/members/:userId/export",
    access: "operator",
    audit: "member.export",
    prepare: async (kit) => ({ params: { tenantId: "t_acme", userId: (await kit.member()).userId }, body: {} }),
  },
  {
    route: "POST /operator/tenants/:tenantId/members/:userId/erase",
    access: "operator",
    audit: "member.erase",
    prepare: async (kit) => ({ params: { tenantId: "t_acme", userId: (await kit.member()).userId } }),
  },
  {
    route: "GET /operator/tenants/:tenantId/members/:userId/erasure",
    access: "operator",
    audit: null,
    async prepare(kit) {
      const { userId } = await kit.member();
      await kit.operator.ok("POST", `operator/tenants/t_acme/members/${userId}/erase`);
      return { params: { tenantId: "t_acme", userId } };
    },
  },
  { route: "GET /operator/groups", access: "operator", audit: null, tenant: true },
  {
    route: "POST /operator/groups",
    access: "operator",
    audit: "group.create",
    tenant: true,
    ...withBody({ name: "New", members: ["alice"] }),
  },
  {
    route: "GET /operator/groups/:groupId",
    access: "operator",
    audit: null,
    tenant: true,
    prepare: async (kit) => ({ params: { groupId: await kit.group() } }),
  },
  {
    route: "PATCH /operator/groups/:groupId",
    access: "operator",
    audit: "group.update",
    tenant: true,
    prepare: async (kit) => ({ params: { groupId: await kit.group() }, body: { name: "Renamed" } }),
  },
  ...(["PUT", "POST"] as const).map(
    (method): RouteRow => ({
      route: `${method} /operator/groups/:groupId/members`,
      access: "operator",
      audit: "group.members",
      tenant: true,
      prepare: async (kit) => ({ params: { groupId: await kit.group() }, body: { members: ["alice"] } }),
    }),
  ),
  {
    route: "DELETE /operator/groups/:groupId/members/:userId",
    access: "operator",
    audit: "group.members",
    tenant: true,
    prepare: async (kit) => ({ params: { groupId: await kit.group(["alice"]), userId: "u_alice" } }),
  },
  { route: "GET /operator/developers", access: "operator", audit: null },
  {
    route: "POST /operator/developers",
    access: "operator",
    audit: "developer.create",
    prepare: (kit) => ({ body: kit.newcomer() }),
  },
  {
    route: "DELETE /operator/developers/:developerId/second-factor",
    access: "operator",
    audit: "second-factor.reset",
    async prepare(kit) {
      const { developerId } = await kit.operator.ok("POST", "operator/developers", kit.newcomer());
      const { clock, portico } = kit.world;
      await portico.ctx.storage.write(async (tx) => {
        await putUnconfirmed(tx, { developerId, secretBox: "", now: clock.now() });
        await confirmFactor(tx, { developerId, step: 1, now: clock.now() });
      });
      return { params: { developerId } };
    },
  },
  ...(["update", "disable"] as const).map(
    (verb): RouteRow => ({
      route: "PATCH /operator/developers/:developerId",
      access: "operator",
      audit: `developer.${verb}`,
      async prepare(kit) {
        const { developerId } = await kit.operator.ok("POST", "operator/developers", kit.newcomer());
        return { params: { developerId }, body: verb === "update" ? { name: "Renamed" } : { disabled: true } };
      },
    }),
  ),
];
