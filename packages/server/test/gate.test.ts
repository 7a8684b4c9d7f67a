import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defaultScopes } from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import {
  APPS,
  acme,
  botApp,
  call,
  credentialsOf,
  INSTALLATIONS,
  MESSAGES,
  sendText,
  textBody,
} from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send, sendRaw, sendSigned } from "./support/http.ts";
import { until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const SECOND = 1_000;
const HOUR = 3_600_000;

const refused401 = (answer: Answer) => assertRefused(answer, 401, "400001", "身份认证失败");

const rotated = { credentialId: "cred_old", appSecret: "old secret" };

onBothEngines("server checks of the signature", (engine, test) => {
  const rotatedAt = Date.now();
  const old = { ...rotated, rotatedAt: new Date(rotatedAt).toISOString() };
  const current = credentialsOf("app_rotated");
  const world = suiteWorld(
    engine,
    acme(
      botApp("app_a"),
      botApp("app_b"),
      botApp("app_off", { status: "DISABLED" }),
      botApp("app_review", { status: "IN_REVIEW" }),
      botApp("app_new", { status: "UNPUBLISHED" }),
      botApp("app_bare", { scopes: defaultScopes("BOT") }),
      botApp("app_rotated", {
        credentials: [{ credentialId: current.credentialId, appSecret: current.appSecret }, old],
      }),
    ),
  );

  for (const ms of [-300 * SECOND, 300 * SECOND]) {
    test(`check 1: a timestamp ${ms / SECOND} s off is accepted`, async () => {
      assertSuccess(await sendText(world(), "app_a", "hi", { timestamp: world().clock.now() + ms }));
    });
  }
  for (const ms of [-300 * SECOND - 1, 300 * SECOND + 1, -(10 ** 12)]) {
    test(`check 1: a timestamp ${ms} ms off is refused`, async () => {
      refused401(await sendText(world(), "app_a", "hi", { timestamp: world().clock.now() + ms }));
    });
  }
  for (const timestamp of ["abc", "1e12", " ", "-1", "1.5", "99999999999999999999"]) {
    test(`check 1: the timestamp ${JSON.stringify(timestamp)} is refused`, async () => {
      refused401(await sendText(world(), "app_a", "hi", { headers: { "X-Open-Timestamp": timestamp } }));
    });
  }

  test("check 2: a nonce is used up by a call that succeeds", async () => {
    assertSuccess(await sendText(world(), "app_a", "hi", { nonce: "n-success" }));
    refused401(await sendText(world(), "app_a", "hi again", { nonce: "n-success" }));
  });
  test("check 2: a nonce is used up by a call that fails the business rules", async () => {
    const body = textBody("hi", { receiveId: "g_other" });
    assertRefused(await sendText(world(), "app_a", "", { body, nonce: "n-business" }), 403, "400008");
    refused401(await sendText(world(), "app_a", "hi", { nonce: "n-business" }));
  });
  test("check 2: a nonce is used up by a call whose body is refused", async () => {
    assertRefused(await sendText(world(), "app_a", "", { body: "{", nonce: "n-body" }), 400, "400006");
    refused401(await sendText(world(), "app_a", "hi", { nonce: "n-body" }));
  });
  test("check 2: a nonce is used up by a call without the scope", async () => {
    assertRefused(await sendText(world(), "app_bare", "hi", { nonce: "n-scope" }), 403, "400007");
    refused401(await sendText(world(), "app_bare", "hi", { nonce: "n-scope" }));
  });
  test("check 2: a nonce is used up by a read", async () => {
    assertSuccess(await call(world(), "app_a", { target: APPS, nonce: "n-read" }));
    refused401(await call(world(), "app_a", { target: INSTALLATIONS, nonce: "n-read" }));
  });
  test("check 2: a nonce is used up by a call that fails with an internal error", async (t) => {
    t.mock.method(world().portico.ctx.coordination, "admit", async () => {
      throw new Error("the counters are gone");
    });
    const failed = await sendText(world(), "app_a", "hi", { nonce: "n-internal" });
    assertRefused(failed, 500, "500000", "服务内部错误,请稍后重试");
    t.mock.restoreAll();
    refused401(await sendText(world(), "app_a", "hi", { nonce: "n-internal" }));
    assert.ok(!failed.text.includes("the counters are gone"));
    assert.ok(
      world().logLines.some((line) => line.includes("the counters are gone") && line.includes(failed.json.reqNo)),
    );
  });
  test("check 2: a nonce is not used up by a call whose signature fails", async () => {
    const wrong = { ...credentialsOf("app_a"), appSecret: "another" };
    const sending = { method: "POST", target: MESSAGES, body: textBody("hi"), nonce: "n-unverified" };
    refused401(await sendSigned(world().url, wrong, { ...sending, timestamp: world().clock.now() }));
    assertSuccess(await call(world(), "app_a", sending));
  });
  test("check 2: nonces of different applications are independent", async () => {
    assertSuccess(await sendText(world(), "app_a", "hi", { nonce: "n-shared" }));
    assertSuccess(await sendText(world(), "app_b", "hi", { nonce: "n-shared" }));
  });
  test("check 2: of 50 concurrent uses of one nonce, one wins", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => sendText(world(), "app_a", `${n}`, { nonce: "n-race" })),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    assert.equal(answers.filter((answer) => answer.json.code === "400001").length, 49);
  });
  test("check 2: of 50 concurrent uses of one nonce under timestamps ten minutes apart, one wins", async () => {
    const now = world().clock.now();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        sendText(world(), "app_a", `${n}`, { nonce: "n-spread", timestamp: now + (n % 2 === 0 ? -299 : 299) * SECOND }),
      ),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
  });
  test("check 2: a timestamp 299 s ahead, replayed 301 s later, is refused", async () => {
    const timestamp = world().clock.now() + 299 * SECOND;
    const sending = { nonce: "n-ahead", timestamp };
    assertSuccess(await sendText(world(), "app_a", "hi", sending));
    world().clock.turn(301 * SECOND);
    refused401(await sendText(world(), "app_a", "hi", sending));
    // Still within the window of its timestamp, still remembered.
    world().clock.turn(297 * SECOND);
    refused401(await sendText(world(), "app_a", "hi", sending));
  });
  test("check 2: a nonce can be used again after 300 s", async () => {
    assertSuccess(await sendText(world(), "app_a", "hi", { nonce: "n-life" }));
    world().clock.turn(299 * SECOND);
    refused401(await sendText(world(), "app_a", "hi", { nonce: "n-life" }));
    world().clock.turn(2 * SECOND);
    assertSuccess(await sendText(world(), "app_a", "hi", { nonce: "n-life" }));
  });
  test("check 2: a nonce longer than 128 characters is refused", async () => {
    assertSuccess(await sendText(world(), "app_a", "hi", { nonce: "n".repeat(128) }));
    refused401(await sendText(world(), "app_a", "hi", { nonce: "n".repeat(129) }));
  });

  for (const appId of ["app_off", "app_review", "app_new"]) {
    test(`check 3: ${appId} is not ACTIVE, which is reported before the signature is checked`, async () => {
      assertRefused(await sendText(world(), appId, "hi"), 403, "400005");
      const headers = { "X-Open-Signature": "0".repeat(64), "X-Open-Credential-Id": "cred_nobody" };
      assertRefused(await sendText(world(), appId, "hi", { headers }), 403, "400005");
    });
  }
  test("check 3: the state check does not consume the nonce", async () => {
    const sending = { nonce: "n-state", timestamp: world().clock.now() };
    assertRefused(await sendText(world(), "app_off", "hi", sending), 403, "400005");
    const { storage, apps } = world().portico.ctx;
    await storage.write(async (tx) => {
      await tx.updateTable("apps").set({ status: "ACTIVE" }).where("app_id", "=", "app_off").execute();
    });
    apps.forget("app_off");
    assertSuccess(await sendText(world(), "app_off", "hi", sending));
    refused401(await sendText(world(), "app_off", "hi", sending));
  });
  test("check 3: a change of state takes effect within a second", async () => {
    const { storage } = world().portico.ctx;
    const setStatus = (status: "ACTIVE" | "DISABLED") =>
      storage.write(async (tx) => {
        await tx.updateTable("apps").set({ status }).where("app_id", "=", "app_b").execute();
      });
    assertSuccess(await sendText(world(), "app_b", "hi"));
    await setStatus("DISABLED");
    world().clock.turn(SECOND);
    assertRefused(await sendText(world(), "app_b", "hi"), 403, "400005");
    await setStatus("ACTIVE");
    world().clock.turn(SECOND);
    assertSuccess(await sendText(world(), "app_b", "hi"));
  });

  for (const name of ["App-Id", "Credential-Id", "Timestamp", "Nonce", "Signature"]) {
    test(`check 4: X-Open-${name} missing`, async () => {
      refused401(await sendText(world(), "app_a", "hi", { headers: { [`X-Open-${name}`]: null } }));
    });
    test(`check 4: X-Open-${name} empty`, async () => {
      refused401(await sendText(world(), "app_a", "hi", { headers: { [`X-Open-${name}`]: "" } }));
    });
  }
  test("check 4: unknown application", async () => {
    refused401(await sendText(world(), "app_nobody", "hi"));
  });
  test("check 4: invalid credential, unknown or another application's", async () => {
    for (const credentialId of ["cred_nobody", "cred_app_b"]) {
      const credentials = { ...credentialsOf("app_a"), credentialId };
      const sending = { method: "POST", target: MESSAGES, body: textBody("hi"), timestamp: world().clock.now() };
      refused401(await sendSigned(world().url, credentials, sending));
    }
  });
  test("check 4: mismatching signature, for each thing that is signed", async () => {
    const now = world().clock.now();
    refused401(await sendText(world(), "app_a", "hi", { signedBody: textBody("ho") }));
    refused401(await sendText(world(), "app_a", "hi", { headers: { "X-Open-Nonce": "another" } }));
    refused401(await sendText(world(), "app_a", "hi", { headers: { "X-Open-Timestamp": String(now + 1) } }));
    refused401(await sendText(world(), "app_a", "hi", { headers: { "X-Open-App-Id": "app_b" } }));
    const signed = await import("@portico/protocol/signature");
    const { headers } = signed.signRequest({
      ...credentialsOf("app_a"),
      method: "GET",
      path: INSTALLATIONS,
      rawQuery: "status=ACTIVE",
      timestamp: now,
      nonce: "n-other-query",
      body: "",
    });
    refused401(await send(`${world().url}${INSTALLATIONS}?status=UNINSTALLED`, { headers }));
    refused401(await send(`${world().url}${APPS}?status=ACTIVE`, { headers }));
    assertSuccess(await send(`${world().url}${INSTALLATIONS}?status=ACTIVE`, { headers }));
  });
  for (const [what, alter] of Object.entries({
    "in upper case": (signature: string) => signature.toUpperCase(),
    truncated: (signature: string) => signature.slice(0, 32),
    lengthened: (signature: string) => `${signature}00`,
    "with one digit changed": (signature: string) => signature.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
  })) {
    test(`check 4: signature ${what}`, async () => {
      const { signRequest } = await import("@portico/protocol/signature");
      const request = {
        ...credentialsOf("app_a"),
        method: "GET",
        path: APPS,
        rawQuery: "",
        nonce: `n-${what}`,
        body: "",
      };
      const { headers } = signRequest({ ...request, timestamp: world().clock.now() });
      const signature = alter(headers["X-Open-Signature"] ?? "");
      refused401(await send(world().url + APPS, { headers: { ...headers, "X-Open-Signature": signature } }));
    });
  }

  test("check 4: the old credential at 23 h 59 min and at 24 h 1 min after rotation", async () => {
    const credentials = { appId: "app_rotated", ...rotated };
    const use = () => sendSigned(world().url, credentials, { target: APPS, timestamp: world().clock.now() });
    world().clock.set(rotatedAt + 24 * HOUR - 60 * SECOND);
    assertSuccess(await use());
    assertSuccess(await call(world(), "app_rotated", { target: APPS }));
    world().clock.set(rotatedAt + 24 * HOUR + 60 * SECOND);
    refused401(await use());
    assertSuccess(await call(world(), "app_rotated", { target: APPS }));
    world().clock.set(Date.now());
  });

  test("check 5: a missing scope gives the exact message", async () => {
    assertRefused(await sendText(world(), "app_bare", "hi"), 403, "400007", "所需的开放平台Scope未被授权");
  });

  test("check 6: a JSON body without Content-Type gives 415, its nonce used up", async () => {
    const answer = await sendText(world(), "app_a", "hi", { headers: { "content-type": null }, nonce: "n-no-type" });
    assertRefused(answer, 415, "415001");
    refused401(await sendText(world(), "app_a", "hi", { nonce: "n-no-type" }));
  });
  for (const type of [
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "???",
  ]) {
    test(`check 6: Content-Type ${type} gives 415, the message beginning with it`, async () => {
      const answer = await sendText(world(), "app_a", "hi", { headers: { "content-type": type } });
      assertRefused(answer, 415, "415001");
      assert.ok(answer.json.message.startsWith(`${type} `), answer.json.message);
    });
  }
  for (const type of ["application/json; charset=UTF-8", "Application/JSON", "application/json;charset=utf-8"]) {
    test(`check 6: Content-Type ${type} is JSON`, async () => {
      assertSuccess(await sendText(world(), "app_a", "hi", { headers: { "content-type": type } }));
    });
  }
  test("check 6: GET needs no Content-Type, and accepts one", async () => {
    assertSuccess(await call(world(), "app_a", { target: APPS }));
    assertSuccess(await call(world(), "app_a", { target: APPS, headers: { "content-type": "text/plain" } }));
  });
  for (const accept of [
    "text/html",
    "application/xml",
    "application/json;q=0",
    "image/*",
    "nonsense",
    "APPLICATION/JSON;Q=0.000, */*",
    "application/json;charset=UTF-8;q=0, application/*",
    "application/*;q=0, */*",
    "*/*;q=0",
    "application/problem+json",
    'text/html;a=", application/json"',
  ]) {
    test(`check 6: Accept ${accept} gives 406`, async () => {
      assertRefused(await sendText(world(), "app_a", "hi", { headers: { accept } }), 406, "406001");
    });
  }
  for (const accept of [
    "*/*",
    "application/*",
    "application/json",
    "text/html, application/json;q=0.1",
    "text/*, */*;q=0.1",
    "application/json;charset=UTF-8",
    "Application/JSON; Charset=utf-8; Q=0.5",
    "application/json;version=1;q=0, application/json",
    "application/json;q=0.1, */*;q=0",
    'text/html;a="b,c", application/json;profile="x,y;q=0"',
    "text/html, *; q=.2",
    "text/html,,application/*;level=1",
    "",
    " ",
    " , ",
  ]) {
    test(`check 6: Accept "${accept}" admits JSON`, async () => {
      assertSuccess(await sendText(world(), "app_a", "hi", { headers: { accept } }));
    });
  }

  test("the order of the checks: signature, scope, Accept, Content-Type, schema", async () => {
    const all = { accept: "text/html", "content-type": "text/plain" };
    const body = "not json";
    refused401(await sendText(world(), "app_bare", "", { body, signedBody: "other", headers: all }));
    assertRefused(await sendText(world(), "app_bare", "", { body, headers: all }), 403, "400007");
    assertRefused(await sendText(world(), "app_a", "", { body, headers: all }), 406, "406001");
    assertRefused(
      await sendText(world(), "app_a", "", { body, headers: { "content-type": "text/plain" } }),
      415,
      "415001",
    );
    assertRefused(await sendText(world(), "app_a", "", { body }), 400, "400006");
  });

  test("a query is signed in canonical form and may be sent in any form", async () => {
    for (const query of ["status=ACTIVE&targetType=GROUP", "targetType=GROUP&x=a+b%20c&x=&x&%F0%9F%98%80=%e5%ae%a2"]) {
      assertSuccess(await call(world(), "app_a", { target: `${INSTALLATIONS}?${query}` }));
    }
  });
  for (const query of ["a=%", "a=%zz", "%f0%28=1", "a=%c3"]) {
    test(`a malformed query ${query} is a signature failure`, async () => {
      const headers = {
        "X-Open-App-Id": "app_a",
        "X-Open-Credential-Id": "cred_app_a",
        "X-Open-Timestamp": String(world().clock.now()),
        "X-Open-Nonce": `n-${query}`,
        "X-Open-Signature": "0".repeat(64),
      };
      refused401(await send(`${world().url}${INSTALLATIONS}?${query}`, { headers }));
    });
  }
  test("line 2 is the path as received, undecoded", async () => {
    assertSuccess(await call(world(), "app_a", { target: "/api/open/v2/bot/%61pps" }));
  });
  test("line 2 of a target in absolute form is its path, and so is the path in the request log and in a 404", async () => {
    const sendAbsolute = async (origin: string, path: string, signedPath = path) => {
      const timestamp = world().clock.now();
      const signing = { ...credentialsOf("app_a"), method: "GET", timestamp, nonce: randomUUID(), body: "" };
      const { headers } = signRequest({ ...signing, path: signedPath, rawQuery: "status=ACTIVE" });
      const lines = Object.entries({ ...headers, Host: "any", Connection: "close" }).map(([k, v]) => `${k}: ${v}`);
      const head = [`GET ${origin}${path}?status=ACTIVE HTTP/1.1`, ...lines].join("\r\n");
      const answer = await sendRaw(world().url, `${head}\r\n\r\n`);
      return { status: Number(answer.slice(9, 12)), json: JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) };
    };
    for (const origin of ["http://any", "https://any:8443", "HTTP://ANY", "http://user@any"]) {
      assert.equal((await sendAbsolute(origin, INSTALLATIONS)).json.code, "000000", origin);
    }
    const encoded = "/api/open/v2/bot/%69nstallations";
    assert.equal((await sendAbsolute("http://any", encoded)).json.code, "000000");
    const refused = await sendAbsolute("http://any", INSTALLATIONS, `http://any${INSTALLATIONS}`);
    assert.equal(refused.status, 401);
    const row = await recordOf(refused.json.reqNo);
    assert.equal(row.path, INSTALLATIONS);
    assert.equal(JSON.parse(row.detail ?? "").refusal.details.lines[1].value, INSTALLATIONS);
    const none = await sendAbsolute("http://any", "/nowhere");
    assert.deepEqual([none.status, none.json.path], [404, "/nowhere"]);
    assert.equal((await sendAbsolute("ftp://any", INSTALLATIONS)).status, 404);
  });
  for (const query of ["status=ACTIVE&status=ACTIVE", "pageSize=1&pageSize=2", "targetType=&%74argetType=USER"]) {
    test(`a parameter given twice says so: ${query}`, async () => {
      const name = query.split("=")[0];
      const answer = await call(world(), "app_a", { target: `${INSTALLATIONS}?${query}` });
      assertRefused(answer, 400, "400006", `参数${name}重复,只能出现一次`);
    });
  }
  test("the body of a GET is signed too", async () => {
    const get = { target: APPS, method: "GET", body: "{}" };
    assertSuccess(await call(world(), "app_a", get));
    refused401(await call(world(), "app_a", { ...get, signedBody: "" }));
  });

  for (const method of ["HEAD", "OPTIONS", "PUT", "DELETE", "GET", "PATCH"]) {
    test(`${method} on the path of a POST gives the container's 404`, async () => {
      const answer = await call(world(), "app_a", { target: MESSAGES, method });
      assert.equal(answer.status, 404);
      if (method === "HEAD") return;
      const { timestamp, ...rest } = answer.json;
      assert.deepEqual(rest, { status: 404, error: "Not Found", path: MESSAGES });
      assert.equal(new Date(timestamp).toISOString(), timestamp);
    });
  }
  for (const path of [
    "/",
    "/nowhere?a=1",
    `${MESSAGES}/`,
    "/api/open/v2/bot/Messages",
    "/%zz",
    `/${"x".repeat(2000)}`,
  ]) {
    test(`no route at ${path.slice(0, 40)} gives the container's 404`, async () => {
      const answer = await send(world().url + path, { method: "POST", body: "{", headers: { "content-type": "/" } });
      assert.equal(answer.status, 404, answer.text);
      assert.deepEqual(Object.keys(answer.json), ["timestamp", "status", "error", "path"]);
      assert.equal(answer.json.path, path.split("?")[0]);
    });
  }

  const recordOf = async (reqNo: string) => {
    const { requestLog, storage } = world().portico.ctx;
    const select = storage.db.selectFrom("requests").selectAll().where("req_no", "=", reqNo);
    // The record is written after the answer was sent, so it may appear a moment later.
    let row = await select.executeTakeFirst();
    await until(async () => {
      await requestLog.flush();
      row = await select.executeTakeFirst();
      return row !== undefined;
    }, `request ${reqNo} is in the request log`);
    assert.ok(row);
    return row;
  };
  test("the true reason of a 401 is in the request log under its reqNo, with the server's canonical string", async () => {
    const answer = await sendText(world(), "app_a", "hi", { signedBody: "other", nonce: "n-logged" });
    const row = await recordOf(answer.json.reqNo);
    assert.equal(row.app_id, "app_a");
    assert.equal(row.status, 401);
    const detail = JSON.parse(row.detail ?? "");
    assert.match(detail.reason, /^400003 /);
    const lines = detail.refusal.details.lines.map(({ value }: { value: string }) => value);
    assert.deepEqual(lines.slice(0, 4), ["POST", MESSAGES, "", "app_a"]);
  });
  test("the request log contains no console calls, so that these use no room for calls of unknown applications", async () => {
    // The limit is per second.
    world().clock.turn(SECOND);
    for (let n = 0; n < 60; n++) {
      const { status } = await send(`${world().url}/api/open/console/v1/apps/app_a/deliveries`);
      assert.equal(status, 401);
    }
    const answer = await sendText(world(), "app_nowhere", "hi");
    assert.equal((await recordOf(answer.json.reqNo)).app_id, null);
    const { db } = world().portico.ctx.storage;
    const paths = await db.selectFrom("requests").select("path").distinct().execute();
    assert.deepEqual(
      paths.filter(({ path }) => path.includes("console")),
      [],
    );
  });
});
