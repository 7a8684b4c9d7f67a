import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import { APPS, acme, botApp } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { BalancedProcesses } from "./support/balanced-processes.ts";
import { postgres } from "./support/engines.ts";
import type { Answer } from "./support/http.ts";
import { noPrivateServices, privateService } from "./support/private-services.ts";
import { until } from "./support/webhooks.ts";

const ROUNDS = 3;
const CALLS = 4;
const MANY = 1_000_000;

describe("a day's quota", { skip: postgres.missing ?? noPrivateServices ?? false }, () => {
  test("is exact though processes are killed and Redis loses what it has counted", async (t) => {
    const redis = await privateService(t, "redis");
    if (redis === null) return;
    await using opened = new AsyncDisposableStack();
    const quota = { perMinute: MANY, perDay: ROUNDS * CALLS, concurrent: MANY };
    const provision = acme(botApp("app_day", { quota }));
    const service = await BalancedProcesses.start(1, provision, { PORTICO_REDIS_URL: redis.url }, opened);
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(Array.from({ length: CALLS }, () => service.send("app_day", {})));
      // At once: a tenth of a second later another process may have added up what this one has counted.
      await service.kill(0);
      for (const answer of answers) assertSuccess(answer);
      await redis.restart();
      await service.replace(0);
    }
    const answers = await Promise.all(Array.from({ length: CALLS }, () => service.send("app_day", {})));
    for (const answer of answers) assertRefused(answer, 429, "429001");
    assert.equal(answers.length, CALLS);
  });

  test("is exact though Redis loses what it has counted while a call's transaction is open", async (t) => {
    const redis = await privateService(t, "redis");
    if (redis === null) return;
    await using opened = new AsyncDisposableStack();
    const provision = acme(botApp("app_once", { quota: { perMinute: MANY, perDay: 1, concurrent: MANY } }));
    const service = await BalancedProcesses.start(1, provision, { PORTICO_REDIS_URL: redis.url }, opened);
    const database = new pg.Client({ connectionString: service.instance.env.PORTICO_DATABASE_URL });
    await database.connect();
    opened.defer(() => database.end());
    await database.query("begin; lock table messages in exclusive mode");
    const held = service.send("app_once", {});
    const waits = "select 1 from pg_locks where not granted and relation = 'messages'::regclass";
    await until(async () => (await database.query(waits)).rows.length > 0, "it is admitted, and waits");
    await redis.restart();
    let other: Answer;
    // Refused until the service has another connection.
    do other = await service.call("app_once", { target: APPS });
    while (other.status === 500);
    assertSuccess(other);
    await database.query("rollback");
    assert.notEqual((await held).status, 200, "only one of them is in the quota");
  });
});
