import assert from "node:assert/strict";
import {
  CONSOLE_ENDPOINTS,
  type ConsoleEndpoint,
  OPERATOR_ENDPOINTS,
  SIGN_IN_PAGES,
} from "@portico/protocol/endpoints";
import type { ProvisioningFile } from "../src/domain/provisioning/schema.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import {
  type Account,
  assertConsoleRefused,
  CONSOLE,
  ConsoleClient,
  consoleCall,
  fellow,
  ownedApp,
  owner,
  stranger,
} from "./support/console.ts";
import {
  APP,
  CALLBACK_NETWORK,
  Kit,
  type Prepared,
  ROUTES,
  type RouteRow,
  SERVICE_APP,
} from "./support/console-routes.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { suiteWorld } from "./support/world.ts";

/** Of all calls that are not GET, only these and the public ones change nothing. */
const CHANGES_NOTHING = new Set([
  "POST /apps/:appId/subscriptions/:eventType/verify",
  "POST /apps/:appId/card-templates/preview",
  "POST /apps/:appId/card-templates/validate",
]);
/** For browsers that sign in with a provider: neither answers JSON. */
const SIGN_IN_PATHS = new Set<string>(Object.values(SIGN_IN_PAGES.developers));
/** Every endpoint of the contract. */
const ENDPOINTS: ConsoleEndpoint[] = [...Object.values(CONSOLE_ENDPOINTS), ...Object.values(OPERATOR_ENDPOINTS)];
const routeOf = ({ method, path }: ConsoleEndpoint) => `${method} ${path.slice(CONSOLE.length)}`;

const UNKNOWN_APP = "应用不存在";
const NOT_OWNER = "只有应用的所有者可以执行此操作";
const NOT_OPERATOR = "只有平台运营人员可以执行此操作";

onBothEngines("console: who may call what", (engine, test) => {
  const service = ownedApp(SERVICE_APP, { type: "CUSTOMER_SERVICE", scopes: [], installations: [] });
  const env = { PORTICO_WEBHOOK_ALLOW_NETWORKS: CALLBACK_NETWORK };
  const world = suiteWorld(engine, withOwnersPhone(operatedAcme(ownedApp(APP), service)), env);

  /** Calls a prepared route, with the tenant header where it is required. */
  const callOf = async (
    { route, tenant }: RouteRow,
    account: Account | null,
    { params = {}, query = "", body, headers = {} }: Prepared = {},
    tenantId: string | null = tenant ? "t_acme" : null,
  ): Promise<Answer> => {
    const [method = "", url = ""] = route.split(" ");
    const known: Record<string, string> = { appId: APP, ...params };
    const path = url.slice(1).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(known[name] ?? "none"));
    if (account === null) return await consoleCall(world(), method, path + query, { body, headers });
    const client = await ConsoleClient.logIn(world(), account);
    return await (tenantId === null ? client : client.in(tenantId)).call(method, path + query, body);
  };
  const entriesAfter = async (auditId: number) => {
    const { db } = world().portico.ctx.storage;
    const rows = db.selectFrom("audit_entries").selectAll().where("audit_id", ">", auditId).orderBy("audit_id");
    return await rows.execute();
  };
  const developerIdOf = async ({ phone, channelId }: Account) => {
    const { db } = world().portico.ctx.storage;
    const found = db.selectFrom("developers").select("developer_id").where("phone", "=", phone);
    return (await found.where("channel_id", "=", channelId).executeTakeFirstOrThrow()).developer_id;
  };
  const assertDone = (answer: Answer) => assert.ok(answer.status >= 200 && answer.status < 300, answer.text);

  /** The routes of the running server, each as `GET /apps/:appId`. */
  const servedRoutes = async (): Promise<string[]> => {
    const { paths } = (await send(`${world().url}/docs/json`)).json as { paths: Record<string, object> };
    return Object.entries(paths).flatMap(([path, methods]) => {
      if (!path.startsWith(CONSOLE) || SIGN_IN_PATHS.has(path)) return [];
      const url = path.slice(CONSOLE.length).replace(/\{(\w+)\}/g, ":$1");
      return Object.keys(methods).map((method) => `${method.toUpperCase()} ${url}`);
    });
  };

  test("the server's routes are exactly the endpoints of the contract", async () => {
    const listed = ENDPOINTS.map(routeOf);
    assert.deepEqual(listed.toSorted(), (await servedRoutes()).toSorted());
  });
  test("the server's routes are exactly those in the table", async () => {
    const served = await servedRoutes();
    const listed = new Set(ROUTES.map(({ route }) => route));
    assert.deepEqual(
      served.filter((route) => !listed.has(route)),
      [],
      "routes without a row in support/console-routes.ts",
    );
    assert.deepEqual(
      [...listed].filter((route) => !served.includes(route)),
      [],
      "rows without a route",
    );
  });
  test("every call that is not GET writes to the audit log, except previews, verification and sign-in", () => {
    const silent = ROUTES.filter(({ route, access, audit }) => {
      return audit === null && !route.startsWith("GET ") && access !== "public" && !CHANGES_NOTHING.has(route);
    });
    assert.deepEqual(silent, []);
  });

  test("the table and the contract agree on who may call each route", () => {
    const rightOf = ({ access, tenant }: Pick<ConsoleEndpoint, "access" | "tenant">) => ({
      access,
      needsTenant: tenant === true,
    });
    const contract = new Map(ENDPOINTS.map((endpoint) => [routeOf(endpoint), rightOf(endpoint)]));
    for (const row of ROUTES) assert.deepEqual(rightOf(row), contract.get(row.route), row.route);
  });
  for (const row of ROUTES) {
    const { route, access, audit, tenant } = row;
    if (access !== "public") {
      test(`${route}: 401 without a login`, async () => {
        assertConsoleRefused(await callOf(row, null), 401, "未登录或登录已过期");
      });
    }
    if (access === "viewer" || access === "owner") {
      test(`${route}: 404 for a developer of another tenant, and for an operator`, async () => {
        assertConsoleRefused(await callOf(row, stranger, {}, "t_other"), 404, UNKNOWN_APP);
        if (tenant) assertConsoleRefused(await callOf(row, stranger), 403, "无权访问该租户");
        else assertConsoleRefused(await callOf(row, operator), 404, UNKNOWN_APP);
      });
    }
    if (access === "owner") {
      test(`${route}: 403 for another developer of the tenant`, async () => {
        assertConsoleRefused(await callOf(row, fellow), 403, NOT_OWNER);
      });
    }
    if (access === "viewer") {
      test(`${route}: allowed for another developer of the tenant`, async () => {
        assertDone(await callOf(row, fellow, await row.prepare?.(await Kit.create(world()))));
      });
    }
    if (access === "operator") {
      test(`${route}: 403 for a developer who is no operator`, async () => {
        for (const account of [stranger, fellow, owner]) {
          assertConsoleRefused(await callOf(row, account), 403, NOT_OPERATOR);
        }
      });
    }
    if (tenant) {
      test(`${route}: 400 without a tenant, 404 with another tenant`, async () => {
        const who = access === "operator" ? operator : fellow;
        assertConsoleRefused(await callOf(row, who, {}, null), 400, "tenant context required");
        const elsewhere = await callOf(row, who, {}, access === "operator" ? "t_nowhere" : "t_other");
        assertConsoleRefused(elsewhere, 404);
      });
    }
    test(`${route}: allowed for the right caller, ${audit === null ? "without an audit entry" : `audited as ${audit}`}`, async () => {
      const account = access === "operator" ? operator : access === "public" ? null : owner;
      const prepared = await row.prepare?.(await Kit.create(world()));
      const last = (await entriesAfter(0)).at(-1)?.audit_id ?? 0;
      const answer = await callOf(row, account, prepared);
      assertDone(answer);
      // A sign-in that the call needs is audited as well; and an erasure that an earlier one began goes on beside it.
      const isOwn = ({ action }: { action: string }) =>
        action !== "audit.erase" && (action !== "session.start" || audit === "session.start");
      const entries = (await entriesAfter(last)).filter(isOwn);
      assert.deepEqual(
        entries.map(({ action }) => action),
        audit === null ? [] : [audit],
      );
      const entry = entries.at(-1);
      if (audit === null || entry === undefined) return;
      assert.equal(entry.actor_id, await developerIdOf(account ?? owner));
      assert.match(entry.address, /127\.0\.0\.1$/);
      const secrets = ["appSecret", "accessToken", "secret"].map((name) => answer.json?.[name]).filter(Boolean);
      for (const secret of secrets) assert.ok(!JSON.stringify(entry).includes(secret), "a secret in the audit log");
    });
  }
});

/** The same, with the owner's phone number for alice: who sends a card to themselves must be a member. */
function withOwnersPhone(file: ProvisioningFile): ProvisioningFile {
  const members = file.members?.map((member) =>
    member.username === "alice" ? { ...member, phone: owner.phone } : member,
  );
  return { ...file, ...(members && { members }) };
}
