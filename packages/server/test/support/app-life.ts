import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { AppEntry, ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import { APPS } from "./acme.ts";
import { type Account, ConsoleClient, consoleAcme, owner } from "./console.ts";
import { type Answer, type Credentials, sendSigned } from "./http.ts";
import type { World } from "./world.ts";

/** Two operators; neither works for a tenant. */
export const operator: Account = { phone: "13800000010", password: "operator's password", channelId: 1 };
export const otherOperator: Account = { phone: "13800000011", password: "other's password", channelId: 1 };

/** Acme with its developers, the operators and the given applications. */
export function operatedAcme(...apps: AppEntry[]): ProvisioningFile {
  const acme = consoleAcme(...apps);
  const operators = [
    { ...operator, name: "Operator", tenants: [], operator: true },
    { ...otherOperator, name: "Other operator", tenants: [], operator: true },
  ];
  return { ...acme, developers: [...(acme.developers ?? []), ...operators] };
}

/** An application's key, and the other members of the answer that showed it. */
export type Created = Credentials & { status: string; displayName: string };

/** Returns a client of the console for a developer who is logged in, by default the owner. */
export type SignIn = (account?: Account) => Promise<ConsoleClient>;

/** An access token is valid for longer. */
const SIGNED_IN_MS = 3_600_000;

/**
 * Logs developers in to a world's console on demand, and again after the clock was turned by an hour: a developer has a
 * bounded number of logins, and while the clock stands still all of them are equally old.
 */
export function signIns(world: () => World): SignIn {
  const signedIn = new Map<string, { at: number; client: Promise<ConsoleClient> }>();
  return (account = owner) => {
    const at = world().clock.now();
    const known = signedIn.get(account.phone);
    if (known !== undefined && Math.abs(at - known.at) < SIGNED_IN_MS) return known.client;
    const client = ConsoleClient.logIn(world(), account);
    signedIn.set(account.phone, { at, client });
    return client;
  };
}

/** Creates an application of Acme through the console. */
export async function create(client: ConsoleClient, body: Record<string, unknown> = {}): Promise<Created> {
  const given = { type: "BOT", displayName: "New bot", tenantId: "t_acme", ...body };
  return await client.ok("POST", "apps", given);
}

/** An approved application of the client's developer, with the scope to send. */
export async function createActive(client: ConsoleClient, reviewer: ConsoleClient): Promise<Created> {
  const app = await create(client);
  await client.ok("POST", `apps/${app.appId}/scopes`, { scopes: ["bot.message.send"] });
  await client.ok("POST", `apps/${app.appId}/submit`);
  await reviewer.ok("POST", `operator/reviews/${app.appId}/approve`);
  return app;
}

/** A signed call that every BOT application may make, by default to the world's first process. */
export function callWith(world: World, credentials: Credentials, url = world.url): Promise<Answer> {
  const { appId, credentialId, appSecret } = credentials;
  const sending = { target: APPS, timestamp: world.clock.now(), nonce: randomUUID() };
  return sendSigned(url, { appId, credentialId, appSecret }, sending);
}

/** The states of an application's scopes, read through the console. */
export async function scopeStates(client: ConsoleClient, appId: string): Promise<Record<string, string>> {
  const list: { scope: string; state: string }[] = await client.ok("GET", `apps/${appId}/scopes`);
  return Object.fromEntries(list.map(({ scope, state }) => [scope, state]));
}

/** The statuses of answers, sorted. */
export function statuses(answers: readonly Answer[]): number[] {
  return answers.map((answer) => answer.status).sort((a, b) => a - b);
}

/** Makes `count` concurrent calls, to the world's processes in turn. */
export function atOnce(world: World, count: number, call: (url: string, index: number) => Promise<Answer>) {
  const urls = world.all.map(({ url }) => url);
  assert.ok(urls.length > 0);
  return Promise.all(Array.from({ length: count }, (_, index) => call(urls[index % urls.length] ?? world.url, index)));
}
