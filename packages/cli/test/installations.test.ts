import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, CREDENTIAL, startService } from "../../sdk/test/service.ts";
import { createWorkspace } from "./portico.ts";

const { appId, credentialId, appSecret } = CREDENTIAL;
const OPTIONS = ["--app-id", appId, "--credential-id", credentialId, "--app-secret", appSecret];

test("installations are printed page by page, one per line", async () => {
  const item = { targetType: "USER", targetId: "u_1", status: "ACTIVE", name: "Ann\nB", installedAt: 0 };
  const pages = [
    { items: [item], nextCursor: "bmV4dA" },
    { items: [{ ...item, targetType: "GROUP", targetId: "g_1" }], nextCursor: null },
  ];
  await using workspace = await createWorkspace();
  await using service = await startService((response, index) => answer(response, 200, "000000", pages[index]));
  const run = (...args: string[]) =>
    workspace.portico(["installations", "--base-url", service.baseUrl, ...OPTIONS, ...args]);
  const { code, stdout, stderr } = await run("--status", "ACTIVE");
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual(stdout.split("\n").slice(0, -1), [
    "USER   u_1  ACTIVE  1970-01-01T00:00:00.000Z  Ann B",
    "GROUP  g_1  ACTIVE  1970-01-01T00:00:00.000Z  Ann B",
  ]);
  assert.deepEqual(
    service.requests.map(({ url }) => url.split("?")[1]),
    ["status=ACTIVE&pageSize=1000", "status=ACTIVE&pageSize=1000&cursor=bmV4dA"],
  );
  assert.equal((await run("--type", "PLACE")).code, 2);
});
