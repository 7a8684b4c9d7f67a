import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { issueVisitorToken, visitorOfToken } from "../src/domain/customer-service/visitor-tokens.ts";
import { ProvisioningError } from "../src/domain/provisioning/provisioning-error.ts";
import { APPS, MESSAGES, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { dumpComparable, dumpLasting, dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Credentials, send, sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { apply, exampleCredentials as credentials, example, restartWith } from "./support/provisioning.ts";
import { suiteWorld, type World } from "./support/world.ts";

const HOUR = 3_600_000;
const NOTHING_REHEARSED = {
  rehearsed_fault: null,
  rehearsed_left: null,
  rehearsed_until: null,
  rehearsed_delay_ms: null,
};

const sendHi = (world: World, key: Credentials = credentials) =>
  sendSigned(world.url, key, {
    method: "POST",
    target: MESSAGES,
    body: textBody("hi"),
    timestamp: world.clock.now(),
  });

onBothEngines("provisioning: the example file", (engine, test) => {
  const world = suiteWorld(engine, example());

  test("the database contains the entries of the file", async () => {
    const dump = await dumpComparable(world());
    const [developer] = dump.developers ?? [];
    assert.match(String(developer?.developer_id), /^dev_\w{8,}$/);
    const [credential] = dump.credentials ?? [];
    const [app] = dump.apps ?? [];
    const [installation] = dump.installations ?? [];
    const now = app?.created_at;
    assert.deepEqual(
      {
        tenants: dump.tenants,
        members: dump.members,
        groups: dump.groups,
        group_members: dump.group_members,
        developers: dump.developers,
        developer_tenants: dump.developer_tenants,
        apps: dump.apps,
        credentials: dump.credentials,
        app_scopes: dump.app_scopes,
        app_agents: dump.app_agents,
        card_templates: dump.card_templates,
        visitors: dump.visitors,
        installations: dump.installations,
      },
      {
        tenants: [{ tenant_id: "t_acme", name: "Acme" }],
        members: [
          {
            user_id: "u_alice",
            tenant_id: "t_acme",
            username: "alice",
            name: "Alice",
            password_hash: "…",
            phone: "13900000001",
            disabled: 0,
            vouched_by: null,
            disabled_by: null,
            added_at: dump.members?.[0]?.added_at,
            edited_at: dump.members?.[0]?.added_at,
          },
        ],
        groups: [{ group_id: "g_team", tenant_id: "t_acme", name: "Team" }],
        group_members: [{ group_id: "g_team", user_id: "u_alice" }],
        developers: [
          {
            developer_id: developer?.developer_id,
            phone: "13800000000",
            channel_id: 1,
            name: "Dev",
            password_hash: "…",
            operator: 0,
            operator_until: null,
            disabled: 0,
          },
        ],
        developer_tenants: [{ developer_id: developer?.developer_id, tenant_id: "t_acme" }],
        apps: [
          {
            app_id: "app_ci",
            type: "BOT",
            tenant_id: "t_acme",
            owner_id: developer?.developer_id,
            status: "ACTIVE",
            disabled_reason: null,
            ...NOTHING_REHEARSED,
            display_name: "CI",
            avatar: "",
            description: "",
            per_minute: 6000,
            per_day: 100000,
            concurrent: 20,
            created_at: now,
          },
        ],
        credentials: [
          {
            credential_id: "cred_ci",
            app_id: "app_ci",
            secret_box: "…",
            created_at: credential?.created_at,
            rotated_at: null,
          },
        ],
        app_scopes: [{ app_id: "app_ci", scope: "bot.message.send", state: "GRANTED" }],
        app_agents: [{ app_id: "app_ci", user_id: "u_alice" }],
        card_templates: [{ card_id: "tpl_1", app_id: "app_ci", name: "Build", version: 3, card: '{"a":1}' }],
        visitors: [
          {
            visitor_id: "v_1",
            app_id: "app_ci",
            third_user_id: "c-77",
            nickname: "Ann",
            avatar: "",
            phone: "",
            email: "",
            extra: null,
            status: 1,
            created_at: now,
            last_seen_at: 0,
            heartbeat_at: 0,
          },
        ],
        installations: [
          {
            app_id: "app_ci",
            target_type: "GROUP",
            target_id: "g_team",
            status: "ACTIVE",
            installed_at: installation?.installed_at,
            first_installed_at: installation?.installed_at,
          },
        ],
      },
    );
  });
  test("its accounts work: the bot can send, and the member can read", async () => {
    assertSuccess(await sendHi(world()));
    const member = await MemberClient.signIn(world(), {
      tenantId: "t_acme",
      username: "alice",
      password: "alice's password",
    });
    assert.equal((await member.history("group:g_team")).length, 1);
  });
  test("applied again, by hand and at the next start, it changes nothing", async () => {
    const before = await dumpComparable(world());
    world().clock.turn(HOUR);
    await apply(world(), example());
    assert.deepEqual(await dumpComparable(world()), before);
    await world().restart();
    assert.deepEqual(await dumpComparable(world()), before);
    assertSuccess(await sendHi(world()));
  });
  test("no secret and no password is in the database or the data directory in plain text", async () => {
    const secrets = [credentials.appSecret, "alice's password", "the developer's password"];
    const spell = (bytes: Buffer) => [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("hex")];
    const spellings = secrets.flatMap((secret) => {
      // A hash without a key would allow guessing the password.
      const hash = createHash("sha256").update(secret).digest();
      return [
        secret,
        JSON.stringify(secret),
        hash.toString("base64url"),
        ...spell(hash),
        ...spell(Buffer.from(secret)),
      ];
    });
    const dump = await dumpTables(world());
    assert.equal(dump.credentials?.length, 1);
    const haystacks = [
      Buffer.from(
        Object.values(dump)
          .flat()
          .map((row) => Object.values(row).join("\n"))
          .join("\n"),
      ),
    ];
    const dataDir = world().env.PORTICO_DATA_DIR ?? "";
    const given = new Set(["provision.json", "applied.json"]);
    for (const file of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      if (file.isFile() && !given.has(file.name)) haystacks.push(readFileSync(join(file.parentPath, file.name)));
    }
    for (const spelling of spellings) {
      assert.ok(!haystacks.some((haystack) => haystack.includes(spelling)), spelling);
    }
  });
});

onBothEngines("provisioning: changes in the file apply at the next start", (engine, test) => {
  const world = suiteWorld(engine, example());

  test("a changed status", async () => {
    await restartWith(world(), example({ status: "DISABLED" }));
    assertRefused(await sendHi(world()), 403, "400005");
    await restartWith(world(), example());
    assertSuccess(await sendHi(world()));
  });
  test("a changed quota; a missing one is the default", async () => {
    await restartWith(world(), example({ quota: { perMinute: 7 } }));
    assert.equal((await sendHi(world())).headers["x-ratelimit-limit"], "7");
    await restartWith(world(), example({ quota: undefined }));
    assert.equal((await sendHi(world())).headers["x-ratelimit-limit"], "6000");
  });
  test("a credential's changed secret", async () => {
    const { credentialId } = credentials;
    await restartWith(world(), example({ credentials: [{ credentialId, appSecret: "another" }] }));
    assertRefused(await sendHi(world()), 401, "400001");
    assertSuccess(await sendHi(world(), { ...credentials, appSecret: "another" }));
    await restartWith(world(), example());
    assertSuccess(await sendHi(world()));
  });
  test("a credential's rotation: valid for 24 hours, then refused, and current again when the file says so", async () => {
    const fresh = { credentialId: "cred_ci_2", appSecret: "fresh" };
    const rotated = (hours: number) => ({
      ...credentials,
      appId: undefined,
      rotatedAt: new Date(world().clock.now() - hours * HOUR).toISOString(),
    });
    await restartWith(world(), example({ credentials: [rotated(23), fresh] }));
    assertSuccess(await sendHi(world()));
    await restartWith(world(), example({ credentials: [rotated(25), fresh] }));
    assertRefused(await sendHi(world()), 401, "400001");
    assertSuccess(await sendHi(world(), { ...credentials, ...fresh }));
    await restartWith(world(), example());
    assertSuccess(await sendHi(world()));
  });
  test("changed scopes; missing ones change nothing", async () => {
    await restartWith(world(), example({ scopes: ["bot.installation.read"] }));
    assertRefused(await sendHi(world()), 403, "400007");
    await restartWith(world(), example({ scopes: undefined }));
    assertRefused(await sendHi(world()), 403, "400007");
    await restartWith(world(), example({ scopes: [] }));
    assertRefused(
      await sendSigned(world().url, credentials, { target: APPS, timestamp: world().clock.now() }),
      403,
      "400007",
    );
    await restartWith(world(), example());
    assertSuccess(await sendHi(world()));
  });
  test("a changed type removes the scopes that it cannot hold", async () => {
    await restartWith(world(), example({ type: "CUSTOMER_SERVICE", scopes: undefined, installations: undefined }));
    const { app_scopes: scopes = [] } = await dumpTables(world());
    assert.deepEqual(
      scopes.filter(({ scope }) => String(scope).startsWith("bot.")),
      [],
    );
    await restartWith(world(), example());
  });
  test("changed members of a group; missing ones change nothing", async () => {
    const bob = { tenant: "t_acme", userId: "u_bob", username: "bob", password: "bob's password" };
    const members = [...(example().members ?? []), bob];
    const group = { id: "g_team", tenant: "t_acme" };
    const sees = async () => {
      const member = await MemberClient.signIn(world(), {
        tenantId: "t_acme",
        username: "bob",
        password: bob.password,
      });
      return (await member.get("conversations/group:g_team/messages")).status === 200;
    };
    await restartWith(world(), example({}, { members, groups: [{ ...group, members: ["bob", "alice", "bob"] }] }));
    assert.ok(await sees());
    await restartWith(world(), example({}, { members, groups: [group] }));
    assert.ok(await sees());
    await restartWith(world(), example({}, { members, groups: [{ ...group, members: ["alice"] }] }));
    assert.ok(!(await sees()));
  });
  test("a changed password, name and username", async () => {
    const [alice] = example().members ?? [];
    assert.ok(alice);
    const changed = { ...alice, name: "Alice B.", username: "alice.b", password: "changed" };
    const groups = [{ id: "g_team", members: ["alice.b"] }];
    await restartWith(world(), example({ agents: [] }, { members: [changed], groups }));
    const signIn = (username: string, password: string) =>
      send(`${world().url}/api/client/v1/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ tenantId: "t_acme", username, password }),
      });
    assert.equal((await signIn("alice", "alice's password")).status, 401);
    assert.equal((await signIn("alice.b", "alice's password")).status, 401);
    assert.equal((await signIn("alice.b", "changed")).json.value.user.name, "Alice B.");
    await restartWith(world(), example());
  });
  test("entities removed from the file do not change", async () => {
    await restartWith(world(), {});
    assertSuccess(await sendHi(world()));
    await restartWith(world(), example());
  });
  test("a wrong file stops the start with its path, and leaves the database as it was", async () => {
    const before = await dumpComparable(world());
    const wrong = example(
      { status: "DISABLED", owner: "13811111111" },
      { tenants: [{ id: "t_acme", name: "Changed" }] },
    );
    await assert.rejects(restartWith(world(), wrong), (error) => {
      assert.ok(error instanceof ProvisioningError);
      assert.match(error.message, /^provisioning file: apps\[0\]\.owner /);
      return true;
    });
    delete world().env.PORTICO_PROVISION;
    await world().start();
    assert.deepEqual(await dumpComparable(world()), before);
  });
});

onBothEngines("provisioning: everything except the ids is optional", (engine, test) => {
  const world = suiteWorld(engine, {
    tenants: [{ id: "t_bare" }],
    members: [{ userId: "u_bare" }],
    groups: [{ id: "g_bare" }],
    developers: [{ phone: "13800000000" }],
    apps: [
      { appId: "app_bare" },
      { appId: "app_service", type: "CUSTOMER_SERVICE", visitors: [{ visitorId: "v_bare" }], profile: {}, quota: {} },
    ],
  });

  test("by default a tenant, a member, a group and a developer are named by their ids", async () => {
    const { tenants, members, groups, group_members, developers, developer_tenants } = await dumpTables(world());
    const addedAt = members?.[0]?.added_at;
    assert.ok(Number(addedAt) > 0);
    assert.deepEqual(tenants, [{ tenant_id: "t_bare", name: "t_bare" }]);
    const member = { user_id: "u_bare", tenant_id: "t_bare", username: "u_bare", name: "u_bare" };
    assert.deepEqual(members, [
      {
        ...member,
        password_hash: null,
        phone: null,
        disabled: 0,
        vouched_by: null,
        disabled_by: null,
        added_at: addedAt,
        edited_at: addedAt,
      },
    ]);
    assert.deepEqual(groups, [{ group_id: "g_bare", tenant_id: "t_bare", name: "g_bare" }]);
    assert.deepEqual([group_members, developer_tenants], [[], []]);
    const developer = {
      phone: "13800000000",
      channel_id: 1,
      name: "13800000000",
      password_hash: null,
      operator: 0,
      operator_until: null,
    };
    assert.deepEqual(developers, [{ ...developer, disabled: 0, developer_id: developers?.[0]?.developer_id }]);
  });
  test("by default an app is an ACTIVE BOT with the default quota and its type's default scopes", async () => {
    const { apps = [], app_scopes: scopes = [] } = await dumpTables(world());
    const state = { status: "ACTIVE", disabled_reason: null, ...NOTHING_REHEARSED };
    const app = { tenant_id: "t_bare", owner_id: null, ...state, avatar: "", description: "" };
    const quota = { per_minute: null, per_day: null, concurrent: null };
    assert.deepEqual(
      apps.map(({ created_at: _, ...rest }) => rest),
      [
        { app_id: "app_bare", type: "BOT", display_name: "app_bare", ...app, ...quota },
        { app_id: "app_service", type: "CUSTOMER_SERVICE", display_name: "app_service", ...app, ...quota },
      ],
    );
    assert.deepEqual(
      scopes.map(({ app_id, scope }) => [app_id, scope]),
      [
        ["app_bare", "bot.installation.read"],
        ["app_bare", "bot.profile.read"],
        ["app_service", "customer.agent.read"],
      ],
    );
  });
  test("by default a visitor is enabled and identified by its id", async () => {
    const visitor = { visitor_id: "v_bare", app_id: "app_service", third_user_id: "v_bare", nickname: "", status: 1 };
    const { apps, visitors } = await dumpTables(world());
    const unsaid = { avatar: "", phone: "", email: "", extra: null, last_seen_at: 0, heartbeat_at: 0 };
    assert.deepEqual(visitors, [{ ...visitor, ...unsaid, created_at: apps?.[0]?.created_at }]);
  });
  test("the sites of an app's widget are stored in browsers' spelling, and stay when the file does not name them", async () => {
    const origins = async () => (await dumpTables(world())).app_origins?.map(({ origin }) => origin);
    const service = { appId: "app_service", tenant: "t_bare" };
    const profile = { allowedOrigins: ["https://Example.com:443/", "https://example.com", "http://b.example:8080"] };
    await apply(world(), { apps: [{ ...service, profile }] });
    const normal = ["http://b.example:8080", "https://example.com"];
    assert.deepEqual(await origins(), normal);
    await apply(world(), { apps: [{ ...service, profile: {} }] });
    assert.deepEqual(await origins(), normal);
    await apply(world(), { apps: [{ ...service, profile: { allowedOrigins: [] } }] });
    assert.deepEqual(await origins(), []);
  });
  test("a visitor disabled by the file loses all tokens, also when enabled again", async () => {
    const { storage, clock } = world().portico.ctx;
    const token = await storage.write((tx) => issueVisitorToken(tx, "v_bare", clock.now()));
    const app = (status: number) => ({
      apps: [{ appId: "app_service", tenant: "t_bare", visitors: [{ visitorId: "v_bare", status }] }],
    });
    await apply(world(), app(0));
    await apply(world(), app(1));
    assert.equal(await visitorOfToken(storage.db, token?.visitorToken ?? "", clock.now()), null);
  });
  test("a card template needs no card", async () => {
    await apply(world(), { apps: [{ appId: "app_bare", tenant: "t_bare", cardTemplates: [{ cardId: "tpl_bare" }] }] });
    assert.equal((await dumpTables(world())).card_templates?.length, 1);
  });
  test("an empty file changes nothing", async () => {
    const before = await dumpLasting(world());
    await apply(world(), {});
    assert.deepEqual(await dumpLasting(world()), before);
  });
});
