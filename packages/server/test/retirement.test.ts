import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import pg from "pg";
import { alice, botApp, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { consoleAcme, logIn, owner } from "./support/console.ts";
import { postgres } from "./support/engines.ts";
import { send, sendSigned } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { startProcess } from "./support/process.ts";
import { StreamClient } from "./support/stream-client.ts";

const RETIRED = 75;

describe("a process whose database a newer version has migrated", { skip: postgres.missing ?? false }, () => {
  test("accepts no more work, closes its streams, logs the reason, and exits with a special code", async (t) => {
    const instance = await postgres.create();
    t.after(() => instance.dispose());
    const provision = join(instance.env.PORTICO_DATA_DIR ?? "", "provision.json");
    writeFileSync(provision, JSON.stringify(consoleAcme(botApp("app_bot"))));
    const server = await startProcess({ ...instance.env, PORTICO_PORT: "0", PORTICO_PROVISION: provision });
    t.after(() => server.end("SIGKILL"));
    const sendOne = () => {
      const sending = { method: "POST", target: MESSAGES, body: textBody("hi"), timestamp: Date.now() };
      return sendSigned(server.url, credentialsOf("app_bot"), sending);
    };
    assertSuccess(await sendOne());
    const member = await MemberClient.signIn(server, alice);
    const stream = await StreamClient.open(server.url, member.token);
    assert.equal((await send(`${server.url}/readyz`)).status, 200);

    const database = new pg.Client({ connectionString: instance.env.PORTICO_DATABASE_URL });
    await database.connect();
    await database.query("insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '')");
    await database.end();
    assert.equal((await stream.closed).code, 1012);
    const ready = await send(`${server.url}/readyz`);
    assert.deepEqual([ready.status, ready.json], [503, { status: "unavailable", failed: ["schema"] }]);
    assert.equal((await send(`${server.url}/healthz`)).status, 200);
    for (const answer of [await sendOne(), await member.get("conversations")]) {
      assertRefused(answer, 500, "500000", "服务内部错误,请稍后重试");
      assert.match(String(answer.headers["retry-after"]), /^\d+$/);
    }
    const console = await logIn(server, owner);
    assert.deepEqual([console.status, console.json.message], [500, "服务内部错误,请稍后重试"]);
    assert.match(String(console.headers["retry-after"]), /^\d+$/);
    assert.equal(await server.ended(), RETIRED);
    assert.match(server.output(), /a newer version of Portico has migrated the database \(9999-from-the-future\)/);
  });
});
