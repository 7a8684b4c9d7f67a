import { SCOPE_NAMES, scopeAllowedFor } from "@portico/protocol";
import type { AppEntry } from "../../src/domain/provisioning/schema.ts";
import { call, credentialsOf } from "./acme.ts";
import type { Answer, SignedSending } from "./http.ts";
import { deliveriesOf } from "./webhooks.ts";
import type { World } from "./world.ts";

/** The base of the customer-service API. */
export const V1 = "/api/open/v1";

/** All scopes that a CUSTOMER_SERVICE application may hold. */
export const CUSTOMER_SCOPES = SCOPE_NAMES.filter((scope) => scopeAllowedFor(scope, "CUSTOMER_SERVICE"));

/** A visitor of an application: `ann` of `app_desk` is `v_app_desk_ann`. */
export function visitorOf(appId: string, name: string): string {
  return `v_${appId}_${name}`;
}

/**
 * A CUSTOMER_SERVICE application with all scopes. Its agents are alice and bob, its visitors ann, ben and dora, who is
 * disabled; the members of `other` replace these.
 */
export function customerApp(appId: string, other: Partial<AppEntry> = {}): AppEntry {
  const { credentialId, appSecret } = credentialsOf(appId);
  return {
    appId,
    type: "CUSTOMER_SERVICE",
    tenant: "t_acme",
    status: "ACTIVE",
    profile: { displayName: `Desk ${appId}`, avatar: "" },
    credentials: [{ credentialId, appSecret }],
    scopes: CUSTOMER_SCOPES,
    quota: { perMinute: 1_000_000, perDay: 100_000_000, concurrent: 10_000 },
    agents: ["alice", "bob"],
    visitors: [
      { visitorId: visitorOf(appId, "ann"), thirdUserId: "c-ann", nickname: "Ann" },
      { visitorId: visitorOf(appId, "ben"), thirdUserId: "c-ben", nickname: "Ben" },
      { visitorId: visitorOf(appId, "dora"), thirdUserId: "c-dora", nickname: "Dora", status: 0 },
    ],
    ...other,
  };
}

/** A client of the customer-service API for one application. */
export class CustomerClient {
  readonly #world: () => World;
  readonly appId: string;
  #made = 0;

  constructor(world: () => World, appId: string) {
    this.#world = world;
    this.appId = appId;
  }

  /** Posts JSON; a string is sent unchanged. */
  post(path: string, body: unknown, other: Partial<SignedSending> = {}): Promise<Answer> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return call(this.#world(), this.appId, { method: "POST", target: `${V1}/${path}`, body: text, ...other });
  }

  get(path: string, query: Record<string, string | number> = {}): Promise<Answer> {
    const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return call(this.#world(), this.appId, {
      target: `${V1}/${path}${pairs.length === 0 ? "" : "?"}${pairs.join("&")}`,
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into values of every shape.
  async value(answer: Promise<Answer>): Promise<any> {
    const { status, json, text } = await answer;
    if (status !== 200 || json.code !== "000000") throw new Error(text);
    return json.value;
  }

  /** A new visitor. */
  async newVisitor(): Promise<string> {
    const thirdUserId = `new-${++this.#made}-${Math.random()}`;
    return (await this.value(this.post("visitor/auth", { thirdUserId }))).visitorId;
  }

  /** An open session of a new visitor, QUEUED unless an agent is free. */
  async newSession(other: Record<string, unknown> = {}): Promise<{ sessionId: number; visitorId: string }> {
    const visitorId = await this.newVisitor();
    const { sessionId } = await this.value(this.post("session/create", { visitorId, ...other }));
    return { sessionId, visitorId };
  }

  /** The application's events, oldest first, from index `from`. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  async events(from = 0): Promise<any[]> {
    const rows = await deliveriesOf(this.#world(), this.appId);
    return rows.slice(from).map(({ body }) => JSON.parse(body));
  }
}

/** Sets an agent's presence at the desk. */
export async function beAt(
  world: World,
  appId: string,
  userId: string,
  {
    status = "ONLINE",
    max = null,
    away = 0,
  }: { status?: "ONLINE" | "BUSY" | "OFFLINE"; max?: number | null; away?: number } = {},
): Promise<void> {
  const { storage, clock } = world.portico.ctx;
  const row = { status, heartbeat_at: clock.now() - away, present: 1, max_sessions: max };
  await storage.write(async (tx) => {
    await tx
      .insertInto("desk_agents")
      .values({ app_id: appId, user_id: userId, ...row })
      .onConflict((conflict) => conflict.columns(["app_id", "user_id"]).doUpdateSet(row))
      .execute();
  });
}

/** Makes all agents absent. */
export async function beAway(world: World, appId: string): Promise<void> {
  await world.portico.ctx.storage.write(async (tx) => {
    await tx.deleteFrom("desk_agents").where("app_id", "=", appId).execute();
  });
}
