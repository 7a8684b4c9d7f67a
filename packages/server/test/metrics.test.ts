import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentedMetrics } from "../../../scripts/deploy/documented-metrics.ts";
import { type Exposed, exposed } from "../../../scripts/deploy/exposed-metrics.ts";
import { findProgram } from "../../../scripts/test-services/find-program.ts";
import { acme, alice, botApp, MESSAGES, sendText } from "./support/acme.ts";
import { type Engine, onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld, type World } from "./support/world.ts";

const provision = acme(botApp("app_bot", { quota: { perMinute: 2, perDay: 100, concurrent: 10 } }));

const promtool = await findProgram("promtool", process.env.PATH ?? "");

async function scrape(world: World): Promise<Exposed> {
  return exposed((await send(`${world.url}/metrics`)).text);
}

onBothEngines("the metrics", (engine, test) => {
  const world = suiteWorld(engine, provision);

  test("are those of the list in docs/operations.md, with their types and with help", async () => {
    const { families } = await scrape(world());
    const documented = documentedMetrics();
    assert.deepEqual(
      [...families].map(([name, { type }]) => [name, type]).toSorted(),
      [...documented].map(([name, { type }]) => [name, type]).toSorted(),
    );
    for (const [name, { type, help }] of families) {
      assert.ok(help.length > 10, `${name} has help`);
      assert.equal(name.endsWith("_total"), type === "counter", `${name}: counters, and only they, end in _total`);
      assert.match(name, /^[a-z][a-z0-9_]*$/);
    }
  });

  test("are named as Prometheus' own check asks", async (t) => {
    if (promtool === undefined) return t.skip("needs promtool");
    const { status, stdout, stderr } = spawnSync(promtool, ["check", "metrics"], {
      input: (await send(`${world().url}/metrics`)).text,
      encoding: "utf8",
    });
    assert.deepEqual([status, stdout, stderr], [0, "", ""]);
  });
  test("tell of calls, commits and quotas", async () => {
    for (let calls = 0; calls < 4; calls++) await sendText(world(), "app_bot", "hi");
    const { value } = await scrape(world());
    assert.equal(value("portico_requests_total", { route: MESSAGES, code: "000000" }), 2);
    assert.equal(value("portico_quota_refusals_total", { quota: "minute" }), 2);
    assert.ok((value("portico_commit_duration_seconds_count") ?? 0) >= 4);
    assert.ok((value("portico_committed_units_total") ?? 0) >= 4);
    assert.equal(value("portico_info", { database: engine.name }), 1);
    assert.ok((value("process_resident_memory_bytes") ?? 0) > 10_000_000);
    assert.ok((value("process_cpu_seconds_total") ?? 0) > 0);
    assert.ok(Math.abs((value("process_start_time_seconds") ?? 0) - Date.now() / 1_000) < 3_600);
    assert.ok((value("portico_event_loop_busy_seconds_total") ?? 0) > 0);
    assert.ok((value("portico_disk_free_bytes") ?? 0) <= (value("portico_disk_size_bytes") ?? 0));
    assertDatabase(engine, value);
  });

  test("count streams and connections, those of members by their kind", async () => {
    const { token } = await MemberClient.signIn(world(), alice);
    const stream = await StreamClient.open(world().url, token);
    const { value } = await scrape(world());
    assert.equal(value("portico_streams", { kind: "member" }), 1);
    assert.equal(value("portico_streams", { kind: "agent" }), 0);
    assert.ok((value("portico_connections") ?? 0) >= 1);
    stream.socket.terminate();
  });

  test("tell the time of the last backup once it is noted", async () => {
    assert.equal((await scrape(world())).value("portico_backup_timestamp_seconds"), undefined);
    const file = join(world().env.PORTICO_DATA_DIR ?? "", "last-backup");
    writeFileSync(file, "");
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    assert.equal((await scrape(world())).value("portico_backup_timestamp_seconds"), 1_700_000_000);
  });
});

function assertDatabase(engine: Engine, value: Exposed["value"]): void {
  if (engine.name === "sqlite") {
    assert.ok((value("portico_sync_duration_seconds_count") ?? 0) > 0);
    assert.equal(value("portico_database_connections_max", { pool: "writers" }), undefined);
    return;
  }
  assert.equal(value("portico_sync_duration_seconds_count"), 0);
  assert.equal(value("portico_database_connections_max", { pool: "writers" }), 20);
  const open = ["used", "idle"].map((state) => value("portico_database_connections", { pool: "writers", state }) ?? 0);
  assert.ok(open.reduce((sum, some) => sum + some) >= 1, `${open}`);
}
