import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConsoleLogin } from "@portico/protocol";
import { startService } from "../../sdk/test/service.ts";
import { consoleCall } from "../../server/test/support/console.ts";
import { codeAt } from "../../server/test/support/second-factor.ts";
import { answerJson, DEVELOPER, developerNamed, loginAnswer, refuse } from "./console-service.ts";
import { startDemoService } from "./demo-service.ts";
import { createWorkspace } from "./portico.ts";

const BASE = "/api/open/console/v1/";
const SECOND = { secondFactor: { challenge: "challenge_1", step: "code", expiresAt: 1 } };

/** A service whose developer has a second factor, of which it accepts the code 287082; `others` have entered wrong ones. */
async function startAsking(step: "code" | "enrol" = "code", others: Pick<ConsoleLogin, "wrongCodes"> = {}) {
  const service = await startService((response, index) => {
    const { url = "", body = "" } = service.requests[index] ?? {};
    const path = url.replace(BASE, "");
    if (path === "auth/login") return answerJson(response, 200, { secondFactor: { ...SECOND.secondFactor, step } });
    if (path === "auth/second-factor") {
      if (JSON.parse(body).code !== "287082") return refuse(response, 403, "Forbidden", "验证码错误或已使用");
      const answer = { ...loginAnswer("tok_1"), ...others };
      return answerJson(response, 200, answer, { "Set-Cookie": "open_refresh_token=ref_1" });
    }
    if (path === "auth/logout") return void response.writeHead(204).end();
    answerJson(response, 200, path === "me" ? developerNamed("Ann") : []);
  });
  return service;
}

test("login takes the code by --code, and sends it with the challenge of the first step", async () => {
  await using workspace = await createWorkspace();
  await using asking = await startAsking();
  const options = ["--base-url", asking.baseUrl, ...DEVELOPER, "--code", "287082"];
  const { code, stdout, stderr } = await workspace.portico(["login", ...options]);
  assert.deepEqual([code, stdout], [0, `signed in at ${asking.baseUrl} as Ann\n`], stderr);
  assert.deepEqual(JSON.parse(asking.requests[1]?.body ?? ""), { challenge: "challenge_1", code: "287082" });
  const saved = await workspace.read("config/portico/login.json");
  assert.match(saved, /ref_1/);
  assert.ok(!saved.includes("287082") && !saved.includes("challenge_1"));
});

test("login tells of wrong codes that others have entered, and of none where there were none", async () => {
  await using workspace = await createWorkspace();
  const since = Date.UTC(2026, 10, 22, 14, 10);
  for (const [count, told] of [
    [1, "1 wrong code was entered since 2026-11-22T14:10:00.000Z"],
    [3, "3 wrong codes were entered since 2026-11-22T14:10:00.000Z"],
  ] as const) {
    await using asking = await startAsking("code", { wrongCodes: { count, since } });
    const options = ["login", "--base-url", asking.baseUrl, ...DEVELOPER, "--code", "287082", "--json"];
    const { code, stdout, stderr } = await workspace.portico(options);
    assert.equal(code, 0, stderr);
    assert.ok(stderr.includes(told) && stderr.includes("change your password"), stderr);
    assert.equal(JSON.parse(stdout).developerName, "Ann");
  }
  await using asking = await startAsking();
  const { stderr } = await workspace.portico(["login", "--base-url", asking.baseUrl, ...DEVELOPER, "--code", "287082"]);
  assert.ok(!stderr.includes("wrong code"), stderr);
});

test("login takes the code from standard input, which no list of processes shows, and from one place alone", async () => {
  await using workspace = await createWorkspace();
  await using asking = await startAsking();
  const options = ["login", "--base-url", asking.baseUrl, ...DEVELOPER, "--code-stdin"];
  const { code, stderr } = await workspace.portico(options, "287082\n");
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(asking.requests[1]?.body ?? ""), { challenge: "challenge_1", code: "287082" });
  const twice = await workspace.portico([...options, "--code", "287082"], "287082\n");
  assert.deepEqual([twice.code, /--code and --code-stdin exclude each other/.test(twice.stderr)], [2, true]);
  const both = ["login", "--base-url", asking.baseUrl, "--phone", "1", "--password-file", "-", "--code-stdin"];
  const shared = await workspace.portico(both, "287082\n");
  assert.deepEqual([shared.code, /exclude each other/.test(shared.stderr)], [2, true], shared.stderr);
});

test("another command that signs in by password says how to", async () => {
  await using workspace = await createWorkspace();
  await using asking = await startAsking();
  const options = ["--base-url", asking.baseUrl, ...DEVELOPER];
  const { code, stderr } = await workspace.portico(["requests", "app_1", "--code", "400006", ...options]);
  assert.equal(code, 1);
  assert.match(stderr, /signs in with a second factor: sign in by `portico login --code-stdin`/);
  assert.equal(asking.requests.length, 1, "its own --code is no code of a second factor");
});

test("a wrong code, a missing one, and a factor that has to be set up first are told of", async () => {
  await using workspace = await createWorkspace();
  await using asking = await startAsking();
  const options = ["login", "--base-url", asking.baseUrl, ...DEVELOPER];
  const wrong = await workspace.portico([...options, "--code", "000000"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /Wait for the authenticator's next code/);
  const missing = await workspace.portico(options);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /signs in with a second factor: sign in by `portico login --code-stdin`/);
  await using enrolling = await startAsking("enrol");
  const enrol = await workspace.portico(["login", "--base-url", enrolling.baseUrl, ...DEVELOPER]);
  assert.equal(enrol.code, 1);
  assert.match(enrol.stderr, /sign in to the console in a browser once, which sets it up/);
  const member = await workspace.portico(["login", "--member", "--as", "ann", "--code", "1"]);
  assert.equal(member.code, 2);
});

test("at a terminal the code is asked for, and a real service accepts it", async () => {
  await using workspace = await createWorkspace();
  await using demo = await startDemoService();
  const { developers } = JSON.parse(await demo.read("data/demo.json")).provision;
  const { phone, password, channelId } = developers.find(({ operator }: { operator?: boolean }) => !operator);
  const { json: login } = await consoleCall({ url: demo.baseUrl }, "POST", "auth/login", {
    body: { phone, password, channelId },
  });
  const headers = { authorization: `Bearer ${login.accessToken}` };
  const call = (path: string, body: unknown) => consoleCall({ url: demo.baseUrl }, "POST", path, { headers, body });
  const { secret } = (await call("me/second-factor", { password })).json;
  const { recoveryCodes } = (await call("me/second-factor/confirm", { code: codeAt(secret, Date.now()) })).json;
  const options = ["login", "--base-url", demo.baseUrl, "--phone", phone, `--password=${password}`];
  const { output, asked } = await workspace.atTerminal(options, "recovery code: ", `${recoveryCodes[0]}\n`);
  assert.ok(asked, output);
  assert.match(output, /signed in at/);
});
