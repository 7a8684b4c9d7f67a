import assert from "node:assert/strict";
import { STATUS_CODES } from "node:http";
import { type DeliveryState, type EventType, englishOf, errorRow } from "@portico/protocol";
import { findDeveloperByPhone } from "../../src/domain/accounts/developer-login-store.ts";
import { startSession } from "../../src/domain/accounts/developer-session.ts";
import type { AppEntry, ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import { acme, botApp } from "./acme.ts";
import { type Answer, type Sending, send } from "./http.ts";
import type { World } from "./world.ts";

/** The base of the console API. */
export const CONSOLE = "/api/open/console/v1";

/** The developer who owns the applications of {@link consoleAcme}. */
export const owner = { phone: "13800000000", password: "owner's password", channelId: 1 };
/** A developer of the same tenant. */
export const fellow = { phone: "13800000001", password: "fellow's password", channelId: 1 };
/** A developer of another tenant. */
export const stranger = { phone: "13800000002", password: "stranger's password", channelId: 1 };
/** A developer of no tenant. */
export const nobody = { phone: "13800000003", password: "nobody's password", channelId: 1 };

export type Account = typeof owner;

/** A BOT application of the owner; the members of `other` replace these. */
export function ownedApp(appId: string, other: Partial<AppEntry> = {}): AppEntry {
  return botApp(appId, { owner: owner.phone, ...other });
}

/** Acme with its developers and the given applications. */
export function consoleAcme(...apps: AppEntry[]): ProvisioningFile {
  return {
    ...acme(...apps),
    developers: [
      { ...owner, name: "Owner", tenants: ["t_acme"] },
      { ...fellow, name: "Fellow", tenants: ["t_acme", "t_other"] },
      { ...stranger, name: "Stranger", tenants: ["t_other"] },
      { ...nobody, name: "Nobody", tenants: [] },
      { phone: "13800000004", name: "Without a password", tenants: ["t_acme"] },
      { ...owner, password: "the password in channel 2", channelId: 2, tenants: ["t_acme"] },
    ],
  };
}

/** Sends a call of the console API; a body is sent as JSON. */
export function consoleCall(
  world: { url: string },
  method: string,
  path: string,
  { body, headers, ...other }: Omit<Sending, "body" | "method"> & { body?: unknown } = {},
): Promise<Answer> {
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  return send(`${world.url}${CONSOLE}/${path}`, { method, body: text, headers: { ...type, ...headers }, ...other });
}

/** Tries to log a developer in; returns the raw answer. */
export function logIn(world: { url: string }, account: unknown): Promise<Answer> {
  return consoleCall(world, "POST", "auth/login", { body: account });
}

/** The value of the refresh cookie that an answer sets. */
export function refreshTokenOf(answer: Answer): string {
  const [cookie = ""] = answer.headers["set-cookie"] ?? [];
  return /^open_refresh_token=([^;]*)/.exec(cookie)?.[1] ?? "";
}

/** Clients that are logged in, by process and account. */
const clients = new WeakMap<object, Map<string, ConsoleClient>>();

/** A client of the console for a developer who is logged in. */
export class ConsoleClient {
  readonly #world: { url: string };
  readonly #token: string;
  readonly #tenantId: string | null;

  private constructor(world: { url: string }, token: string, tenantId: string | null = null) {
    this.#world = world;
    this.#token = token;
    this.#tenantId = tenantId;
  }

  /**
   * Logs in without the slow password check. The login of an account is reused while it is valid: logins are limited,
   * and while the clock stands still all of them are equally old.
   */
  static async logIn(world: World, { channelId, phone }: Account = owner): Promise<ConsoleClient> {
    const { ctx } = world.portico;
    const known = clients.get(ctx) ?? new Map<string, ConsoleClient>();
    clients.set(ctx, known);
    const account = `${channelId} ${phone}`;
    const earlier = known.get(account);
    if (earlier !== undefined && (await earlier.get("me")).status === 200) return earlier;
    const developer = await findDeveloperByPhone(ctx.storage.db, channelId, phone);
    const { login } = await startSession(ctx, developer?.developerId ?? "", {
      address: "127.0.0.1",
      userAgent: "test",
    });
    const client = new ConsoleClient(world, login.accessToken);
    known.set(account, client);
    return client;
  }

  /** The same developer at another process. */
  at(world: { url: string }): ConsoleClient {
    return new ConsoleClient(world, this.#token, this.#tenantId);
  }

  /** The same developer, with a tenant header in every call. */
  in(tenantId: string): ConsoleClient {
    return new ConsoleClient(this.#world, this.#token, tenantId);
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    const tenant: Record<string, string> = this.#tenantId === null ? {} : { "x-open-tenant-id": this.#tenantId };
    const headers = { authorization: `Bearer ${this.#token}`, ...tenant };
    return consoleCall(this.#world, method, path, { headers, ...(body !== undefined && { body }) });
  }

  get(path: string): Promise<Answer> {
    return this.call("GET", path);
  }

  /** The answer of a call that must succeed. */
  async ok(method: string, path: string, body?: unknown, status = 200) {
    const answer = await this.call(method, path, body);
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.headers["cache-control"], "no-store");
    return answer.json;
  }
}

/** Asserts a refusal of the console API (docs/contract/console.md#refusals). */
export function assertConsoleRefused(answer: Answer, status: number, message?: string | RegExp): void {
  assert.equal(answer.status, status, answer.text);
  assert.deepEqual(Object.keys(answer.json), ["timestamp", "status", "error", "message", "path", "errorCode"]);
  assert.equal(answer.json.status, status);
  assert.equal(answer.json.error, STATUS_CODES[status]);
  assert.match(answer.json.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.match(answer.json.path, /^\/api\/open\/console\/v1\/[^?]*$/);
  assert.match(String(answer.headers["content-type"]), /^application\/json/);
  assert.notEqual(englishOf(answer.json), undefined, `the tables have no such words: ${answer.text}`);
  assert.equal(errorRow(answer.json.errorCode).status, status);
  if (typeof message === "string") assert.equal(answer.json.message, message);
  else assert.match(answer.json.message, message ?? /./);
}

/** A delivery to insert into the database. */
export interface SeededDelivery {
  eventId: string;
  status?: DeliveryState;
  eventType?: EventType;
  createdAt?: number;
  dueAt?: number | null;
  body?: string;
}

/** Inserts deliveries of an application into the database; the default status is DELIVERED. */
export async function seedDeliveries(world: World, appId: string, deliveries: SeededDelivery[]): Promise<void> {
  const { storage, clock } = world.portico.ctx;
  const rows = deliveries.map(({ eventId, status, eventType, createdAt, dueAt, body }) => ({
    event_id: eventId,
    app_id: appId,
    event_type: eventType ?? "im.message.receive_v1",
    body: body ?? JSON.stringify({ eventId }),
    status: status ?? "DELIVERED",
    created_at: createdAt ?? clock.now(),
    due_at: dueAt ?? null,
    claim: 0,
    claimed: 0,
    attempt_count: 0,
    retry_count: 0,
    last_status: null,
    last_reason: null,
  }));
  for (let start = 0; start < rows.length; start += 500) {
    const some = rows.slice(start, start + 500);
    await storage.write(async (tx) => {
      await tx.insertInto("deliveries").values(some).execute();
    });
  }
}
