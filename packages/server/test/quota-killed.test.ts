import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { acme, botApp } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { BalancedProcesses } from "./support/balanced-processes.ts";
import { postgres } from "./support/engines.ts";
import { noPrivateServices, privateService } from "./support/private-services.ts";

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
});
