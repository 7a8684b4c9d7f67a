import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../platform/config/config.ts";
import { writeWhole } from "../../platform/disk/whole-file.ts";
import type { AppEntry, ProvisioningFile } from "./schema.ts";

/** What a new user needs to try the demo; the command line tool reads its defaults from `cli` and `member`. */
export interface DemoAccess {
  cli: { baseUrl: string; appId: string; credentialId: string; appSecret: string };
  member: { tenantId: string; username: string; password: string };
  /** All accounts and credentials of the demo. */
  provision: ProvisioningFile;
}

const FILE = "demo.json";
const TENANT = "t_demo";

/** Creates a demo with random secrets and writes them to a file that only its owner can read. */
export async function demoWorld(dataDir: string, baseUrl: string): Promise<ProvisioningFile> {
  const provision = makeProvision();
  const bot = provision.apps?.[0];
  const credential = bot?.credentials?.[0];
  const alice = provision.members?.[0];
  if (!bot || !credential || !alice) throw new Error("the demo world lacks its bot or its first member");
  const access: DemoAccess = {
    cli: { baseUrl, appId: bot.appId, ...credential },
    member: { tenantId: TENANT, username: "alice", password: alice.password ?? "" },
    provision,
  };
  await writeWhole(join(dataDir, FILE), `${JSON.stringify(access, null, 2)}\n`);
  return provision;
}

/**
 * The demo world of this service; null when there is none. Never in production, even on a data directory that had one
 * before.
 */
export function findDemoOf({
  environment,
  distributed,
  provision,
  dataDir,
}: Pick<Config, "environment" | "distributed" | "provision" | "dataDir">): DemoAccess | null {
  if (environment === "production" || distributed !== null || provision !== null) return null;
  return findDemoAccess(dataDir);
}

/** What the first start of the demo wrote; null when there is none. */
function findDemoAccess(dataDir: string): DemoAccess | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), "utf8"));
  } catch {
    return null;
  }
}

function makeProvision(): ProvisioningFile {
  const member = (username: string, name: string, phone: string) => ({
    tenant: TENANT,
    userId: `u_${username}`,
    username,
    name,
    phone,
    password: secret(9),
  });
  const developer = (name: string, phone: string, operator: boolean) => ({
    phone,
    channelId: 1,
    name,
    password: secret(9),
    tenants: [TENANT],
    operator,
  });
  return {
    tenants: [{ id: TENANT, name: "Demo" }],
    members: [
      // The developer's phone number, so that she can sign in to the console by QR code.
      member("alice", "Alice", "13800000001"),
      member("bob", "Bob", "13900000002"),
      member("carol", "Carol", "13900000003"),
    ],
    groups: [{ id: "g_demo", tenant: TENANT, name: "Demo group", members: ["alice", "bob", "carol"] }],
    developers: [developer("Dev", "13800000001", false), developer("Operator", "13800000002", true)],
    apps: [botApp(), customerServiceApp(), miniProgramApp()],
  };
}

const common = { tenant: TENANT, owner: "13800000001", status: "ACTIVE" } as const;

function botApp(): AppEntry {
  return {
    ...common,
    appId: "app_demo_bot",
    type: "BOT",
    profile: { displayName: "Demo bot", avatar: "" },
    credentials: [{ credentialId: "cred_demo_bot", appSecret: secret(32) }],
    scopes: ["bot.profile.read", "bot.installation.read", "bot.message.send", "bot.message.reply", "event.bot.message"],
    installations: [
      { targetType: "GROUP", targetId: "g_demo" },
      { targetType: "USER", targetId: "u_alice" },
    ],
  };
}

function customerServiceApp(): AppEntry {
  return {
    ...common,
    appId: "app_demo_service",
    type: "CUSTOMER_SERVICE",
    profile: { displayName: "Demo service desk", avatar: "" },
    credentials: [{ credentialId: "cred_demo_service", appSecret: secret(32) }],
    scopes: [
      "customer.agent.read",
      "customer.visitor.manage",
      "customer.session.manage",
      "customer.message.send",
      "customer.message.read",
      "event.customer.message",
      "event.customer.session",
      "event.customer.agent",
    ],
    agents: ["bob", "carol"],
  };
}

function miniProgramApp(): AppEntry {
  return {
    ...common,
    appId: "app_demo_mini",
    type: "MINI_PROGRAM",
    profile: { displayName: "Demo mini-program", avatar: "" },
    credentials: [{ credentialId: "cred_demo_mini", appSecret: secret(32) }],
  };
}

function secret(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}
