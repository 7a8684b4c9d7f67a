import { relative, resolve } from "node:path";
import { CONSOLE_BASE } from "../api/common/console/console-route.ts";
import { findDemoOf } from "../domain/provisioning/demo.ts";
import type { Config } from "../platform/config/config.ts";
import type { Portico } from "./start.ts";

/** The text printed after the start: the addresses, and for the demo data how to sign in. */
export function banner(portico: Portico): string {
  const { config } = portico.ctx;
  const lines = [
    "",
    `Portico is up at ${config.baseUrl} (${config.distributed ? "PostgreSQL and Redis" : "SQLite"}, ${config.environment})`,
    `  start page        ${config.baseUrl}/`,
    `  console           ${config.consoleUrl}/console/  (a developer's phone number and password)`,
    `  messenger         ${config.baseUrl}/messenger/  (a member's organisation, user name and password)`,
    `  desk              ${config.baseUrl}/desk/  (the same, of a member who is an agent)`,
    `  API reference     ${config.baseUrl}/docs`,
    `  console API       ${config.consoleUrl}${CONSOLE_BASE}`,
  ];
  if (portico.metricsUrl !== null) lines.push(`  metrics           ${portico.metricsUrl}`);
  const demo = findDemoOf(config);
  if (demo !== null) lines.push(...demoLines(portico, demo));
  return `${lines.join("\n")}\n`;
}

/** The settings without which a command in another terminal would not find the demo world. */
export function commandOf({ dataDir }: Pick<Config, "dataDir">): string {
  if (dataDir === resolve("data")) return "npx";
  const path = relative(process.cwd(), dataDir);
  const shown = path.startsWith("..") || path === "" ? dataDir : path;
  return `PORTICO_DATA_DIR=${/^[\w./+,@%-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`} npx`;
}

function demoLines({ ctx }: Portico, demo: NonNullable<ReturnType<typeof findDemoOf>>): string[] {
  const { members = [], developers = [], apps = [] } = demo.provision;
  const npx = commandOf(ctx.config);
  const flags = ctx.config.baseUrl === "http://localhost:8080" ? "" : ` --base-url ${ctx.config.baseUrl}`;
  return [
    "",
    "Demo world",
    ...members.map(
      ({ username, password }) =>
        `  member            ${username}  password ${password}  organisation ${demo.member.tenantId}`,
    ),
    ...developers.map(
      ({ phone, password, channelId, operator }) =>
        `  ${(operator ? "operator" : "developer").padEnd(17)} ${phone}  password ${password}  channel ${channelId}`,
    ),
    ...apps.map(({ appId, credentials }) => {
      const [credential] = credentials ?? [];
      return `  ${appId.padEnd(17)} ${credential?.credentialId}  secret ${credential?.appSecret}`;
    }),
    `  all of it         ${relative(process.cwd(), ctx.config.dataDir) || "."}/demo.json`,
    "",
    "In a second terminal, in this folder, send a first message and read it as alice:",
    `  ${npx} portico send --to group:g_demo "Hello from my first bot"${flags}`,
    `  ${npx} portico read group:g_demo${flags}`,
    "Make an application of your own, as the demo's developer:",
    `  ${npx} portico apps create BOT "My bot"${flags}`,
  ];
}
