import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answer, CREDENTIAL, startService } from "../../sdk/test/service.ts";
import { MemberClient } from "../../server/test/support/member.ts";
import { newCode } from "../../server/test/support/miniapp.ts";
import { type DemoService, printedJson, startDemoService } from "./demo-service.ts";
import { credentialArgs } from "./portico.ts";

const APP = "app_demo_mini";
const SESSION = { openId: "o_1", unionId: "un_1", sessionKey: "-key", expiresAt: 1_800_000_000_000 };

let service: DemoService;
/** Options with the credentials of the demo mini-program. */
let options: string[];
let alice: MemberClient;
before(async () => {
  service = await startDemoService();
  const { member, provision } = JSON.parse(await service.read("data/demo.json"));
  const app = provision.apps.find(({ appId }: { appId: string }) => appId === APP);
  options = credentialArgs({ ...app.credentials[0], appId: APP, baseUrl: service.baseUrl });
  alice = await MemberClient.signIn({ url: service.baseUrl }, member);
});
after(() => service[Symbol.asyncDispose]());

test("miniapp-session shows who has opened a mini-program, once for each code", async () => {
  const code = await newCode(alice, APP);
  const { code: exit, stdout, stderr } = await service.portico(["miniapp-session", "--json", ...options, "--", code]);
  const first = printedJson({ code: exit, stdout, stderr });
  assert.deepEqual(Object.keys(first), ["openId", "unionId", "sessionKey", "expiresAt"]);

  const again = await service.portico(["miniapp-session", ...options, "--", code]);
  assert.deepEqual([again.code, again.stdout], [1, ""]);
  assert.match(
    again.stderr,
    /^refused: 400008 登录码无效或已过期 \(reqNo \w+\)\nThe login code is unknown, used, .*\nHave the mini-program ask for another code/,
  );

  const shown = await service.portico(["miniapp-session", await newCode(alice, APP), ...options]);
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(
    shown.stdout,
    new RegExp(`^openId +${first.openId}\nunionId +${first.unionId}\nsessionKey +[\\w-]{43}\n`),
  );
  assert.match(shown.stdout, /\nuntil +\d{4}-\d\d-\d\dT[\d:.]+Z\n$/);
});

test("miniapp-session accepts a code that begins with a hyphen in any position", async () => {
  await using other = await startService((response) => answer(response, 200, "000000", SESSION));
  const named = credentialArgs({ ...CREDENTIAL, baseUrl: other.baseUrl });
  const codes = [`-${"a".repeat(42)}`, `--${"b".repeat(41)}`];
  for (const code of codes) {
    for (const args of [
      [code, ...named, "--json"],
      [...named, code, "--json"],
      [...named, "--json", "--", code],
    ]) {
      assert.deepEqual(printedJson(await service.portico(["miniapp-session", ...args])), SESSION);
    }
  }
  const sent = other.requests.map(({ body }) => JSON.parse(body).code);
  assert.deepEqual(
    sent,
    codes.flatMap((code) => [code, code, code]),
  );
});

test("miniapp-session requires exactly one code", async () => {
  for (const [args, message] of [
    [[], "CODE is missing"],
    [["one", "two"], "1 argument too many"],
    [["-x"], 'unknown option "-x"'],
  ] as const) {
    const { code, stdout, stderr } = await service.portico(["miniapp-session", ...args]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.ok(stderr.startsWith(`portico miniapp-session: ${message}`), stderr);
  }
});
