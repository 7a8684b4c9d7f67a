import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PorticoClient } from "@portico/sdk";
import { acme, alice, credentialsOf } from "../../server/test/support/acme.ts";
import { sqlite } from "../../server/test/support/engines.ts";
import { MemberClient } from "../../server/test/support/member.ts";
import { miniApp, newCode } from "../../server/test/support/miniapp.ts";
import { suiteWorld } from "../../server/test/support/world.ts";
import { answer, CREDENTIAL, startService } from "./service.ts";

const APP = "app_sdk_mini";
const SESSION = { openId: "o_1", unionId: "un_1", sessionKey: "key", expiresAt: 1_800_000_000_000 };

describe("a mini-program against the service", () => {
  const world = suiteWorld(sqlite, acme(miniApp(APP, { owner: undefined })));
  const miniapp = () => {
    const clock = () => world().clock.now();
    return new PorticoClient({ ...credentialsOf(APP), baseUrl: world().url, clock, maxRetries: 0 }).miniapp;
  };
  const codeOf = async () => newCode(await MemberClient.signIn(world(), alice), APP);

  test("a code can be exchanged once; the member has the same ids the next time", async () => {
    const code = await codeOf();
    const { openId, unionId, sessionKey, expiresAt } = await miniapp().exchangeCode(code);
    assert.ok(expiresAt > world().clock.now());
    await assert.rejects(miniapp().exchangeCode(code), { name: "ApiRefusedError", code: "400008" });
    const next = await miniapp().exchangeCode(await codeOf());
    assert.deepEqual([next.openId, next.unionId], [openId, unionId]);
    assert.notEqual(next.sessionKey, sessionKey);
  });
});

describe("exchanging a code", () => {
  const clientOf = (baseUrl: string) =>
    new PorticoClient({ ...CREDENTIAL, baseUrl, sleep: async () => {}, random: () => 0 });

  test("sends the code, signed, and returns the service's answer", async () => {
    await using service = await startService((response) => answer(response, 200, "000000", SESSION));
    assert.deepEqual(await clientOf(service.baseUrl).miniapp.exchangeCode('a "code"'), SESSION);
    const [request] = service.requests;
    assert.deepEqual([request?.method, request?.url], ["POST", "/api/open/v2/miniapp/session"]);
    assert.deepEqual(JSON.parse(request?.body ?? ""), { code: 'a "code"' });
    assert.equal(request?.signatureMatches, true);
  });
  test("is retried after a temporary failure of the service", async () => {
    await using service = await startService((response, index) =>
      index === 0 ? answer(response, 500, "500000") : answer(response, 200, "000000", SESSION),
    );
    assert.deepEqual(await clientOf(service.baseUrl).miniapp.exchangeCode("code"), SESSION);
    assert.equal(service.requests.length, 2);
  });
  for (const [what, value] of [
    ["nothing", null],
    ["no openId", { ...SESSION, openId: undefined }],
    ["an expiry that is no time", { ...SESSION, expiresAt: "soon" }],
  ] as const) {
    test(`a success with ${what} is a transport failure`, async () => {
      await using service = await startService((response) => answer(response, 200, "000000", value));
      await assert.rejects(clientOf(service.baseUrl).miniapp.exchangeCode("code"), { name: "TransportError" });
    });
  }
});
