import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { toDataURL } from "qrcode";
import { sweepQrLogins } from "../src/domain/accounts/qr-login-store.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT } from "./support/client-acme.ts";
import { assertConsoleRefused, consoleAcme, consoleCall, ownedApp, owner, refreshTokenOf } from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld, World } from "./support/world.ts";

const QR_TTL_MS = 120_000;

/** Members with different phone numbers, and developers in addition to those of {@link consoleAcme}. */
function qrAcme() {
  const file = consoleAcme(ownedApp("app_bot"));
  const member = (username: string, phone?: string, tenant = "t_acme") => ({
    tenant,
    userId: `u_${username}`,
    username,
    name: username,
    password: `${username}'s password`,
    ...(phone !== undefined && { phone }),
  });
  const shared = { phone: "13800000010", password: "shared" };
  return {
    ...file,
    members: [
      ...(file.members ?? []),
      member("olivia", owner.phone),
      member("oscar", owner.phone),
      member("phoneless"),
      member("customer", "13800000099"),
      member("sharing", shared.phone),
      member("abroad", shared.phone, "t_other"),
      member("directed", owner.phone),
      member("provided", owner.phone, "t_other"),
      member("risen", "13800000077"),
    ],
    developers: [
      ...(file.developers ?? []),
      { ...shared, channelId: 1, name: "Of Other", tenants: ["t_other"] },
      { ...shared, channelId: 2, name: "Of Acme", tenants: ["t_acme"] },
      { phone: "13800000077", password: "rises", channelId: 1, name: "Operator", tenants: ["t_acme"], operator: true },
    ],
  };
}

/** The code in the QR image of a sign-in. */
function codeOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

onBothEngines("console: signing in by QR code", (engine, test) => {
  const world = suiteWorld(engine, qrAcme());
  const clients = new Map<string, Promise<MemberClient>>();
  /** A member who is signed in to the messenger. */
  const member = (username: string, tenantId = "t_acme") => {
    const client =
      clients.get(username) ?? MemberClient.signIn(world(), { tenantId, username, password: `${username}'s password` });
    clients.set(username, client);
    return client;
  };
  const generate = async (): Promise<string> => {
    // A process begins a limited number of sign-ins per second of its clock.
    world().clock.turn(1_000);
    const answer = await consoleCall(world(), "POST", "auth/qr/generate");
    assert.equal(answer.status, 200, answer.text);
    return answer.json.qrToken;
  };
  const poll = (qrToken: string, url = world().url) => consoleCall({ url }, "GET", `auth/qr/status?qrToken=${qrToken}`);
  const scan = async (qrToken: string, username = "olivia") => (await member(username)).post("qr/scan", { qrToken });
  const confirm = async (qrToken: string, username = "olivia") =>
    (await member(username)).post("qr/confirm", { qrToken });
  const assertExpired = (answer: Answer) => {
    assert.deepEqual([answer.status, answer.json], [200, { status: "expired", expireIn: 0 }], answer.text);
    assert.equal(answer.headers["set-cookie"], undefined);
  };
  const confirmed = async () => {
    const token = await generate();
    assertSuccess(await scan(token));
    assertSuccess(await confirm(token));
    return token;
  };
  const statusWith = async (accessToken: string) =>
    (await consoleCall(world(), "GET", "me", { headers: { authorization: `Bearer ${accessToken}` } })).status;
  const confirmationsSoFar = async () => {
    const { db } = world().portico.ctx.storage;
    return (await db.selectFrom("audit_entries").selectAll().where("action", "=", "session.confirm").execute()).length;
  };
  const secondUrl = async () => (engine.name === "postgres" ? (await world().start()).url : world().url);

  test("a phone number of a company's directory stands for developers of that company, never for operators", async () => {
    const { storage } = world().portico.ctx;
    const scannedBy = async (username: string, tenantId?: string) => {
      const qrToken = await generate();
      return (await member(username, tenantId)).post("qr/scan", { qrToken });
    };
    assertSuccess(await scannedBy("risen"));
    await storage.write(async (tx) => {
      const of = (name: string, tenant_id = "t_acme") => ({ user_id: `u_${name}`, tenant_id });
      await tx
        .insertInto("scim_users")
        .values(["directed", "risen"].map((name) => ({ ...of(name), external_id: null, deleted_at: null })))
        .execute();
      const identity = { issuer: "https://id.example", subject: "provided", created_at: 0 };
      await tx
        .insertInto("member_identities")
        .values({ ...of("provided", "t_other"), ...identity })
        .execute();
    });
    assertSuccess(await scannedBy("directed"));
    assertRefused(await scannedBy("risen"), 403, "400008", "当前成员没有可登录的开发者账号");
    assertRefused(await scannedBy("provided", "t_other"), 403, "400008", "当前成员没有可登录的开发者账号");
  });
  test("the image shows this service's URL with the token's code in the fragment", async () => {
    const answer = await consoleCall(world(), "POST", "auth/qr/generate");
    assert.deepEqual(Object.keys(answer.json), ["qrToken", "qrImage"]);
    assert.match(answer.json.qrToken, /^[\w-]{43}$/);
    const { baseUrl } = world().portico.ctx.config;
    assert.equal(answer.json.qrImage, await toDataURL(`${baseUrl}/qr/login#token=${codeOf(answer.json.qrToken)}`));
    const [head = "", data = ""] = answer.json.qrImage.split(",");
    assert.equal(head, "data:image/png;base64");
    assert.equal(Buffer.from(data, "base64").subarray(1, 4).toString(), "PNG");
    assert.equal(answer.headers["cache-control"], "no-store");
  });
  test("pending, scanned, confirmed: then one poll is answered like a login, with cookie", async () => {
    const token = await generate();
    assert.deepEqual((await poll(token)).json, { status: "pending", expireIn: 120 });
    world().clock.turn(19_001);
    assert.deepEqual((await poll(token)).json, { status: "pending", expireIn: 101 });

    const scanned = await scan(token);
    assertSuccess(scanned);
    const { developerId } = scanned.json.value.developer;
    assert.deepEqual(scanned.json.value, {
      status: "scanned",
      expireIn: 101,
      developer: { developerId, name: "Owner", channelId: 1 },
      origin: { address: "127.0.0.1", userAgent: "" },
    });
    assert.deepEqual((await poll(token)).json, { status: "scanned", expireIn: 101 });

    const answered = await confirm(token);
    assertSuccess(answered);
    assert.deepEqual(answered.json.value, { status: "confirmed" });

    const login = await poll(token);
    const { accessToken } = login.json;
    assert.deepEqual(login.json, {
      status: "confirmed",
      expireIn: 101,
      accessToken,
      expiresAt: world().clock.now() + 7_200_000,
      developerId,
    });
    assert.match(
      login.headers["set-cookie"]?.[0] ?? "",
      /^open_refresh_token=[\w-]{64}; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict; Path=\/api\/open\/console\/v1\/auth$/,
    );
    assert.equal(await statusWith(accessToken), 200);
    const headers = { cookie: `open_refresh_token=${refreshTokenOf(login)}` };
    assert.equal((await consoleCall(world(), "POST", "auth/refresh", { headers })).status, 200);
    assertExpired(await poll(token));
  });
  test("the code in the image can be scanned and confirmed, but does not sign anybody in", async () => {
    const token = await generate();
    const code = codeOf(token);
    assertExpired(await poll(code));
    assertSuccess(await scan(code));
    assertExpired(await poll(code));
    assertSuccess(await confirm(code));
    assertExpired(await poll(code));
    assert.equal((await poll(token)).json.status, "confirmed");
  });
  test("the member who scans sees where the sign-in began, and so can recognise a code sent by another person", async () => {
    world().clock.turn(1_000);
    const headers = { "user-agent": `Browser/7 ${"x".repeat(300)}` };
    const { qrToken } = (await consoleCall(world(), "POST", "auth/qr/generate", { headers })).json;
    const { origin } = (await scan(qrToken)).json.value;
    assert.deepEqual(origin, { address: "127.0.0.1", userAgent: headers["user-agent"].slice(0, 256) });
  });
  test("of concurrent polls of a confirmed sign-in, in any process, one signs in", async () => {
    const url = await secondUrl();
    for (let round = 0; round < 5; round++) {
      const token = await confirmed();
      const answers = await Promise.all([poll(token), poll(token, url), poll(token), poll(token, url)]);
      const [winner, ...others] = answers.filter(({ json }) => json.status === "confirmed");
      assert.ok(winner !== undefined && others.length === 0, answers.map(({ text }) => text).join());
      for (const answer of answers) if (answer !== winner) assertExpired(answer);
    }
  });

  test("a code is valid for 120 seconds", async () => {
    const [pending, scanned] = [await generate(), await generate()];
    assertSuccess(await scan(scanned));
    world().clock.turn(QR_TTL_MS - 1);
    assert.deepEqual((await poll(scanned)).json, { status: "scanned", expireIn: 1 });
    world().clock.turn(1);
    for (const token of [pending, scanned]) {
      assertExpired(await poll(token));
      assertRefused(await scan(token), 403, "400008", "二维码无效或已过期");
      assertRefused(await confirm(token), 403, "400008", "二维码无效或已过期");
    }
  });
  test("a sign-in confirmed in its last moment can be polled for another 30 seconds", async () => {
    const token = await generate();
    assertSuccess(await scan(token));
    world().clock.turn(QR_TTL_MS - 1);
    assertSuccess(await confirm(token));
    world().clock.turn(29_999);
    assert.equal((await poll(token)).json.status, "confirmed");

    const missed = await generate();
    assertSuccess(await scan(missed));
    world().clock.turn(QR_TTL_MS - 1);
    assertSuccess(await confirm(missed));
    world().clock.turn(30_000);
    assertExpired(await poll(missed));
  });
  test("an unknown token, of any form, counts as expired; a missing one is 400", async () => {
    for (const made of ["x", "A".repeat(43), "A".repeat(128), "%E4%BA%8C", "%27%3B--"]) assertExpired(await poll(made));
    assertConsoleRefused(await consoleCall(world(), "GET", "auth/qr/status"), 400, /qrToken/);
    assertConsoleRefused(await poll(""), 400, /qrToken/);
    assertConsoleRefused(await poll("A".repeat(129)), 400, /qrToken/);
    assertConsoleRefused(await poll("%00"), 400, /qrToken/);
    for (const path of ["qr/scan", "qr/confirm"]) {
      const olivia = await member("olivia");
      assertRefused(await olivia.post(path, { qrToken: "A".repeat(43) }), 403, "400008", "二维码无效或已过期");
      assertRefused(await olivia.post(path, { qrToken: "x" }), 403, "400008", "二维码无效或已过期");
      for (const qrToken of [undefined, "", 7, "\u0000", "A".repeat(129)]) {
        assertRefused(await olivia.post(path, { qrToken }), 400, "400006");
      }
    }
  });

  test("only the member who scanned the code may confirm it", async () => {
    const token = await generate();
    assertSuccess(await scan(token));
    assertRefused(await scan(token, "oscar"), 403, "400008", "二维码已被其他成员扫描");
    assertRefused(await confirm(token, "oscar"), 403, "400008", "二维码已被其他成员扫描");
    assertSuccess(await scan(token));
    assertSuccess(await confirm(token));
    assertRefused(await scan(token, "oscar"), 403, "400008", "二维码已被其他成员扫描");
  });
  test("a sign-in that was not scanned cannot be confirmed", async () => {
    const token = await generate();
    assertRefused(await confirm(token), 403, "400008", "请先扫描二维码");
    assert.equal((await poll(token)).json.status, "pending");
  });
  test("confirming twice changes nothing, before and after it was used; scanning again is refused", async () => {
    const token = await confirmed();
    assertSuccess(await confirm(token));
    assertRefused(await scan(token), 403, "400008", "二维码已确认登录");
    assert.equal((await poll(token)).json.status, "confirmed");
    assertSuccess(await confirm(token));
    assertExpired(await poll(token));
    assertRefused(await scan(token), 403, "400008", "二维码无效或已过期");
  });
  test("of two members who scan concurrently one succeeds, and concurrent confirmations count once", async () => {
    const before = await confirmationsSoFar();
    for (let round = 0; round < 5; round++) {
      const token = await generate();
      const scans = await Promise.all([scan(token, "olivia"), scan(token, "oscar")]);
      assert.deepEqual(scans.map(({ status }) => status).sort(), [200, 403]);
      const who = scans[0]?.status === 200 ? "olivia" : "oscar";
      const answers = await Promise.all([confirm(token, who), confirm(token, who), confirm(token, who)]);
      for (const answer of answers) assertSuccess(answer);
      assert.equal((await poll(token)).json.status, "confirmed");
    }
    assert.equal(await confirmationsSoFar(), before + 5);
  });

  test("a member without developer account is refused, with or without a phone number", async () => {
    const token = await generate();
    for (const username of ["phoneless", "customer"]) {
      assertRefused(await scan(token, username), 403, "400008", "当前成员没有可登录的开发者账号");
    }
    assert.equal((await poll(token)).json.status, "pending");
  });
  test("of developers with the same phone number one of the member's tenant is preferred, then the lowest channel", async () => {
    const [atAcme, atOther] = [await generate(), await generate()];
    assert.equal((await scan(atAcme, "sharing")).json.value.developer.name, "Of Acme");
    const abroad = await member("abroad", "t_other");
    assert.equal((await abroad.post("qr/scan", { qrToken: atOther })).json.value.developer.name, "Of Other");
    assert.equal((await scan(await generate(), "oscar")).json.value.developer.channelId, 1);
  });
  test("a disabled developer is not signed in at any step", async () => {
    const { storage } = world().portico.ctx;
    const shutOut = (disabled: number) =>
      storage.write(async (tx) => {
        const ofOwner = tx.updateTable("developers").set({ disabled }).where("phone", "=", owner.phone);
        await ofOwner.execute();
      });
    const [pending, scanned, ready] = [await generate(), await generate(), await confirmed()];
    assertSuccess(await scan(scanned));
    await shutOut(1);
    assertRefused(await scan(pending), 403, "400008", "当前成员没有可登录的开发者账号");
    assertRefused(await confirm(scanned), 403, "400008", "当前成员没有可登录的开发者账号");
    assertExpired(await poll(ready));
    await shutOut(0);
    assertExpired(await poll(ready));
  });
  test("scanning and confirming need a member's token", async () => {
    const qrToken = await generate();
    const headers = { "content-type": "application/json" };
    for (const path of ["qr/scan", "qr/confirm"]) {
      const body = JSON.stringify({ qrToken });
      assertRefused(await send(`${world().url}${CLIENT}/${path}`, { method: "POST", headers, body }), 401, "400001");
    }
  });

  test("the audit log contains the confirmation and the origin of the login; neither it nor the database contains a secret", async () => {
    const token = await confirmed();
    const login = await poll(token);
    const { accessToken, developerId } = login.json;
    const refreshToken = refreshTokenOf(login);
    const tables = await dumpTables(world());
    const { token: memberToken } = await member("olivia");
    const text = JSON.stringify(tables);
    for (const secret of [
      token,
      codeOf(token),
      accessToken,
      refreshToken,
      refreshToken.slice(0, 24),
      refreshToken.slice(24),
      memberToken,
      owner.password,
      "olivia's password",
    ]) {
      assert.ok(!text.includes(secret));
    }
    for (const line of world().logLines) {
      assert.ok(!line.includes(token) && !line.includes(accessToken) && !line.includes(refreshToken));
    }
    const entries = (tables.audit_entries ?? []).sort((a, b) => Number(a.audit_id) - Number(b.audit_id)).slice(-2);
    assert.deepEqual(
      entries.map(({ action, actor_type, actor_id, after }) => [
        action,
        actor_type,
        actor_id,
        JSON.parse(String(after)),
      ]),
      [
        ["session.confirm", "MEMBER", "u_olivia", { method: "qr" }],
        ["session.start", "DEVELOPER", developerId, { method: "qr" }],
      ],
    );
    assert.equal(entries[0]?.target, `developer:${developerId}`);
    assert.match(String(entries[1]?.target), /^session:ses_/);
  });

  test("one address may begin 10 sign-ins per second; then 429 with Retry-After until the next second", async () => {
    world().clock.turn(1_000);
    const tries = Array.from({ length: 14 }, () => consoleCall(world(), "POST", "auth/qr/generate"));
    const answers = await Promise.all(tries);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 4);
    for (const answer of refused) {
      assertConsoleRefused(answer, 429, "二维码请求过多,请稍后再试");
      assert.equal(answer.headers["retry-after"], "1");
    }
    await generate();
  });
  test("at most 10,000 sign-ins are open, and expired ones are swept", async () => {
    const { storage } = world().portico.ctx;
    const row = (n: number) => ({
      token_hash: `hash ${n}`,
      state: "PENDING" as const,
      address: "",
      user_agent: "",
      expires_at: world().clock.now() + QR_TTL_MS,
    });
    await sweepQrLogins(storage, world().clock.now() + 2 * QR_TTL_MS);
    await storage.write(async (tx) => {
      for (let start = 0; start < 10_000; start += 1_000) {
        const rows = Array.from({ length: 1_000 }, (_, n) => row(start + n));
        await tx.insertInto("console_qr_logins").values(rows).execute();
      }
    });
    assertConsoleRefused(await consoleCall(world(), "POST", "auth/qr/generate"), 429, "二维码请求过多,请稍后再试");
    world().clock.turn(QR_TTL_MS);
    const token = await generate();
    await sweepQrLogins(storage, world().clock.now());
    assert.equal((await dumpTables(world())).console_qr_logins?.length, 1);
    assert.equal((await poll(token)).json.status, "pending");
  });
});

onBothEngines("console: the life of a QR code as configured", (engine, test) => {
  test("console.qrTtl sets the lifetime", async (t) => {
    const world = await World.create(engine, qrAcme(), { PORTICO_CONSOLE_QR_TTL: "5s" });
    t.after(() => world.dispose());
    const { qrToken } = (await consoleCall(world, "POST", "auth/qr/generate")).json;
    const poll = async () => (await consoleCall(world, "GET", `auth/qr/status?qrToken=${qrToken}`)).json;
    assert.deepEqual(await poll(), { status: "pending", expireIn: 5 });
    world.clock.turn(5_000);
    assert.deepEqual(await poll(), { status: "expired", expireIn: 0 });
  });
});
