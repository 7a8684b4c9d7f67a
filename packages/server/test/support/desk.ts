import { createHash, randomBytes } from "node:crypto";
import { PresenceSweep } from "../../src/domain/customer-service/presence-sweep.ts";
import type { Portico } from "../../src/service/start.ts";
import { type Answer, send } from "./http.ts";
import { StreamClient } from "./stream-client.ts";
import type { World } from "./world.ts";

/** The base of the agents' API. */
export const DESK = "/api/desk/v1";
export const WIDGET_STREAM = "/api/widget/v1/stream";

/** A client of the desk API for one agent. */
export class DeskClient {
  readonly #url: string;
  readonly token: string;
  readonly userId: string;

  private constructor(url: string, userId: string, token: string) {
    this.#url = url;
    this.userId = userId;
    this.token = token;
  }

  /** Signs a member in without the slow password check; many members have no password. */
  static async signIn(world: World, userId: string, url = world.url): Promise<DeskClient> {
    const { storage, clock } = world.portico.ctx;
    const token = randomBytes(32).toString("base64url");
    const token_hash = createHash("sha256").update(token).digest("base64url");
    const row = { token_hash, user_id: userId, expires_at: clock.now() + 7 * 86_400_000 };
    await storage.write((tx) => tx.insertInto("member_tokens").values(row).execute());
    return new DeskClient(url, userId, token);
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    return send(`${this.#url}${DESK}/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** The value of a call that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into values of every shape.
  async ok(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.call(method, path, body);
    if (answer.status !== 200 || answer.json.code !== "000000") throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.json.value;
  }

  /** Chooses a status, which does not make the agent present. */
  choose(appId: string, status: string): Promise<unknown> {
    return this.ok("PUT", `apps/${appId}/status`, { status });
  }

  /** Opens the agent's stream. */
  stream(url = this.#url): Promise<StreamClient> {
    return StreamClient.open(url, this.token, `${DESK}/stream`);
  }
}

/** Records a heartbeat of an agent, as the agent's stream does; resolves once it is written. */
export async function sendHeartbeat({ ctx }: Portico, userId: string): Promise<void> {
  ctx.presenceTracker.agent(userId);
  await ctx.presenceTracker.flush();
}

/** Runs one presence sweep of a process. */
export async function sweep({ ctx }: Portico): Promise<void> {
  const presence = new PresenceSweep(ctx);
  await presence.run();
  await presence.close();
}
