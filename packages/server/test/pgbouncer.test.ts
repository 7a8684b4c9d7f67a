import assert from "node:assert/strict";
import { delimiter } from "node:path";
import { after, before, describe, test } from "node:test";
import { findProgram } from "../../../scripts/test-services/find-program.ts";
import { startPgBouncer } from "../../../scripts/test-services/pgbouncer.ts";
import type { Service } from "../../../scripts/test-services/service.ts";
import { parsePostgresAddress } from "../src/platform/storage/postgres/postgres-address.ts";
import { acme, botApp, credentialsOf, MESSAGES, textBody } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { type EngineInstance, postgres } from "./support/engines.ts";
import { sendSigned } from "./support/http.ts";
import { World } from "./support/world.ts";

const CALLS = 60;
// Debian installs it where only administrators look.
const program = await findProgram("pgbouncer", [process.env.PATH ?? "", "/usr/sbin"].join(delimiter));

describe("behind PgBouncer", { skip: postgres.missing ?? (program === undefined ? "needs pgbouncer" : false) }, () => {
  let pooler: Service;
  let instance: EngineInstance;
  let world: World;
  before(async () => {
    instance = await postgres.create();
    const direct = new URL(instance.env.PORTICO_DATABASE_URL ?? "");
    pooler = await startPgBouncer(program ?? "", direct.href);
    const env = { PORTICO_DATABASE_URL: `${new URL(direct.pathname, pooler.url).href}?pooler=transaction` };
    const bot = botApp("app_bot", { quota: { perMinute: 10_000, perDay: 10_000, concurrent: 1_000 } });
    world = await World.on(postgres, instance, acme(bot), env);
    await world.start();
  });
  after(async () => {
    await world?.stop();
    await pooler?.stop();
    await instance?.dispose();
  });

  test("two processes migrate, send side by side without a gap, and read what they sent", async () => {
    const target = MESSAGES;
    const calls = Array.from({ length: CALLS }, (_, n) => {
      const sending = { method: "POST", target, body: textBody(`text ${n}`), timestamp: world.clock.now() };
      return sendSigned(world.all[n % 2]?.url ?? "", credentialsOf("app_bot"), sending);
    });
    const answers = await Promise.all(calls);
    for (const answer of answers) assertSuccess(answer);
    const places = answers.map(({ json }) => json.value.msgSeq);
    assert.deepEqual(
      places.sort((one, other) => one - other),
      Array.from({ length: CALLS }, (_, n) => n + 1),
    );
  });
});

test("another kind of pooler is refused, and no pooler leaves the address as it is", () => {
  assert.throws(() => parsePostgresAddress("postgres://db/portico?pooler=session"), /pooler must be "transaction"/);
  assert.deepEqual(parsePostgresAddress("postgres://db/portico?sslmode=require"), {
    urls: ["postgres://db/portico?sslmode=require"],
    isPooled: false,
  });
});
