import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { rewriteLog } from "../src/platform/storage/sqlite/repair-log.ts";
import { acme, alice, botApp, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { type ServerProcess, startProcess, startToFail } from "./support/process.ts";

const FAILING_SYNCS = fileURLToPath(new URL("support/failing-syncs.ts", import.meta.url));

function sendTo(server: ServerProcess, text: string) {
  const sending = { method: "POST", target: MESSAGES, body: textBody(text), timestamp: Date.now() };
  return sendSigned(server.url, credentialsOf("app_bot"), sending);
}

describe("a disk that fails a sync", () => {
  test("ends the embedded service with exit code 74 and refuses calls in progress; the next start has a complete log", async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), "portico-test-"));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const [provision, failing, log] = ["provision.json", "failing", "portico.db-wal"].map((name) =>
      join(dataDir, name),
    );
    assert.ok(provision && failing && log);
    writeFileSync(provision, JSON.stringify(acme(botApp("app_bot"))));
    const env = { PORTICO_DATA_DIR: dataDir, PORTICO_PORT: "0", PORTICO_PROVISION: provision };

    const server = await startProcess({ ...env, PORTICO_TEST_FAIL_SYNCS: failing }, FAILING_SYNCS);
    t.after(() => server.end("SIGKILL"));
    assert.equal((await sendTo(server, "acknowledged")).status, 200);
    writeFileSync(failing, "");
    const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => sendTo(server, `lost ${n}`)));
    for (const { status, json } of answers) assert.deepEqual([status, json.code], [500, "500000"]);
    assert.equal(await server.ended(), 74);
    assert.match(server.output(), /the disk failed a sync/);
    // Nothing was copied from a log of which the system may have lost a part.
    assert.ok(statSync(log).size > 0);

    const again = await startProcess({ ...env, PORTICO_LOG_LEVEL: "warn" });
    t.after(() => again.end("SIGKILL"));
    const history = await (await MemberClient.signIn(again, alice)).history("group:g_team");
    assert.equal(history[0]?.content && JSON.stringify(history[0].content), JSON.stringify({ text: "acknowledged" }));
    assert.equal((await sendTo(again, "again")).status, 200);
  });

  test("stops a start that cannot sync the log, with a message for the operator", async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), "portico-test-"));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    mkdirSync(join(dataDir, "portico.db-wal"));
    const { code, output } = await startToFail({ PORTICO_DATA_DIR: dataDir, PORTICO_PORT: "0" });
    assert.equal(code, 1);
    assert.match(output, /^portico: the disk does not take what was written to .*portico\.db-wal before/);
  });
});

test("a log of any length is rewritten unchanged, and a missing one is not created", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "portico-test-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "log");
  rewriteLog(path);
  assert.throws(() => statSync(path), /ENOENT/);
  for (const length of [0, 1, 1024 * 1024, 2_500_000]) {
    const content = Buffer.alloc(length, "pages ");
    writeFileSync(path, content);
    rewriteLog(path);
    assert.ok(readFileSync(path).equals(content));
  }
});
