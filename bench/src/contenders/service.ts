import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OWN_CHECKOUT } from "../../../scripts/test-run/start-settings.ts";
import type { Sender } from "../load/signed-requests.ts";
import { type Child, startChild } from "./child.ts";
import type { Contender } from "./contender.ts";
import type { Databases } from "./databases.ts";

const READY_TIMEOUT_MS = 10_000;

/** Starts the service on SQLite in its own directory. */
export function startEmbedded(core: number | null, sender: Sender): Promise<Contender> {
  return start("embedded", core, sender, {});
}

/** The same for messages with an idempotency key, which the service indexes permanently. */
export async function startEmbeddedKeyed(core: number | null, sender: Sender): Promise<Contender> {
  return { ...(await start("embedded, keyed", core, sender, {})), keyed: true };
}

/** Starts one process of the service on PostgreSQL and Redis; other processes may use the same databases. */
export function startDistributed(core: number | null, sender: Sender, databases: Databases): Promise<Contender> {
  return start("distributed", core, sender, distributedOn(databases));
}

async function start(
  name: string,
  core: number | null,
  sender: Sender,
  env: Record<string, string>,
): Promise<Contender> {
  const child = await startService(name, core, { world: worldOf(sender), env: { ...TALKATIVE_MEMBERS, ...env } });
  return { keepsMessages: true, keyed: false, ...child };
}

/** In a bench one member writes as much as a thousand normally would. */
export const TALKATIVE_MEMBERS = { PORTICO_LIMITS_MEMBER_MESSAGES_PER_MINUTE: "1000000" };

/** The environment of a service on these databases. */
export function distributedOn({ postgresUrl, redisUrl, masterKey }: Databases): Record<string, string> {
  return { PORTICO_DATABASE_URL: postgresUrl, PORTICO_REDIS_URL: redisUrl, PORTICO_MASTER_KEY: masterKey };
}

/** The parameters of a service. */
export interface ServiceSetup {
  /** A provisioning file. */
  world: object;
  /** Environment variables in addition to those of every service of the bench. */
  env: Record<string, string>;
  /** Called with the whole configuration before the service starts. */
  prepare?(env: Record<string, string>): Promise<void>;
  /** The checkout whose service it is; this one, if it is not given. */
  checkout?: URL;
}

/** Starts one process of the service and waits until it is ready. */
export async function startService(
  name: string,
  core: number | null,
  { world, env, prepare, checkout = OWN_CHECKOUT }: ServiceSetup,
): Promise<Child> {
  const child = await startChild({
    name,
    script: new URL("packages/server/src/main.ts", checkout),
    checkout,
    core,
    async prepare(dir) {
      const provision = join(dir, "provision.json");
      await writeFile(provision, JSON.stringify(world), { mode: 0o600 });
      const whole = {
        ...env,
        PORTICO_PORT: "0",
        PORTICO_LOG_LEVEL: "warn",
        PORTICO_DATA_DIR: join(dir, "data"),
        PORTICO_PROVISION: provision,
      };
      await prepare?.(whole);
      return whole;
    },
    ready: /Portico is up at http:\/\/[^\s:]+:(\d+)/,
  });
  try {
    const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
    const { status } = await fetch(`http://127.0.0.1:${child.port}/readyz`, { signal });
    if (status !== 200) throw new Error(`${name} is not ready: ${status}`);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return child;
}

/** The members of the group that receives the messages. */
export const MEMBERS = ["alice", "bob"].map((username) => ({ tenantId: "t_bench", username, password: username }));

/** The developer who owns the application. */
export const OWNER = { phone: "13800000000", password: "the owner's password", channelId: 1 };

/** Quotas that are counted but never reached. */
export const QUOTA = { perMinute: 1e9, perDay: 1e12, concurrent: 1e6 };

/** A provisioning file with one bot, in one group with all members. */
export function worldOf({ appId, credentialId, appSecret, groupId }: Sender) {
  return {
    tenants: [{ id: "t_bench", name: "Bench" }],
    members: MEMBERS.map(({ tenantId, username, password }) => {
      return { tenant: tenantId, userId: `u_${username}`, username, name: username, password };
    }),
    groups: [{ id: groupId, tenant: "t_bench", name: "Bench", members: MEMBERS.map(({ username }) => username) }],
    developers: [{ ...OWNER, name: "Owner", tenants: ["t_bench"] }],
    apps: [
      {
        appId,
        type: "BOT",
        tenant: "t_bench",
        owner: OWNER.phone,
        status: "ACTIVE",
        credentials: [{ credentialId, appSecret }],
        scopes: ["bot.message.send", "event.bot.message"],
        quota: QUOTA,
        installations: [{ targetType: "GROUP", targetId: groupId }],
      },
    ],
  };
}
