import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type ServerResponse } from "node:http";
import type { Installation } from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import { sql } from "kysely";
import { parseCursor, writeCursor } from "../src/api/open/bot/installation-cursor.ts";
import {
  BEGINNING,
  listInstallations,
  listInstallationTexts,
} from "../src/domain/applications/installations/installation-list.ts";
import { install, uninstall } from "../src/domain/applications/installations/installation-store.ts";
import type { LargeAnswers } from "../src/platform/http/large-answers.ts";
import { acme, botApp, call, credentialsOf, INSTALLATIONS } from "./support/acme.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld, type World } from "./support/world.ts";

const APP = "app_many";
/** Not a multiple of the slice size; some have the same time of installation. */
const COUNT = 1_137;
const place = (n: number) => ({ appId: APP, targetType: "USER" as const, targetId: `u_${String(n).padStart(5, "0")}` });

/** Creates many installations of the application; every third is uninstalled. */
async function installToMany(world: World): Promise<void> {
  await world.portico.ctx.storage.write(async (tx) => {
    await sql`
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(COUNT - 1)})
      insert into installations (app_id, target_type, target_id, status, installed_at, first_installed_at)
      select ${sql.lit(APP)}, 'USER', 'u_' || substr(cast(100000 + i as text), 2), case when i % 3 = 0 then 'UNINSTALLED' else 'ACTIVE' end,
        1000 + i / 7, 1000 + i / 7 from n`.execute(tx);
  });
}

onBothEngines("many installations", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp(APP, { installations: [] }), botApp("app_bot")));
  const list = (query = "", appId = APP) => call(world(), appId, { target: `${INSTALLATIONS}${query}` });
  const targets = (items: Installation[]) => items.map(({ targetId }) => targetId);
  const all = Array.from({ length: COUNT }, (_, n) => place(n).targetId);

  /** Reads page after page; `between` happens after each. */
  async function readPages(query: string, between: (page: number) => Promise<unknown> = async () => {}) {
    const pages: Installation[][] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer = await list(`?${query}${cursor === "" ? "" : `&cursor=${cursor}`}`);
      assertSuccess(answer);
      assert.deepEqual(Object.keys(answer.json.value), ["items", "nextCursor"]);
      pages.push(answer.json.value.items);
      cursor = answer.json.value.nextCursor;
      await between(pages.length);
    }
    return pages;
  }

  test("setting: there are many installations", async () => {
    await installToMany(world());
  });
  test("without a page size all are returned in one list, byte for byte as before", async () => {
    const answer = await list();
    assertSuccess(answer);
    assert.deepEqual(targets(answer.json.value.items), all);
    assert.equal(answer.text, JSON.stringify(answer.json));
    assert.deepEqual(Object.keys(answer.json.value), ["items"]);
    assert.equal(answer.headers["transfer-encoding"], "chunked");
    const small = await list("", "app_bot");
    assert.equal(Number(small.headers["content-length"]), small.bytes.length);
    assert.equal(small.json.value.items.length, 2);
    const active = await list("?status=ACTIVE&targetType=USER");
    assert.deepEqual(
      targets(active.json.value.items),
      all.filter((_, n) => n % 3 !== 0),
    );
    assert.deepEqual((await list("?targetType=GROUP")).json.value.items, []);
  });
  test("pages have the requested size, and the last has no cursor", async () => {
    for (const pageSize of [1_000, 379, COUNT]) {
      const pages = await readPages(`pageSize=${Math.min(pageSize, 1_000)}`);
      assert.deepEqual(targets(pages.flat()), all);
      assert.equal(pages.length, Math.ceil(COUNT / Math.min(pageSize, 1_000)));
    }
    const selected = all.filter((_, n) => n % 3 === 0);
    const pages = await readPages("pageSize=100&status=UNINSTALLED");
    assert.deepEqual(targets(pages.flat()), selected);
    assert.deepEqual(
      pages.map(({ length }) => length),
      [100, 100, 100, 79],
    );
    assert.deepEqual(await readPages("pageSize=5&targetType=GROUP"), [[]]);
    assert.equal((await list("?pageSize=1")).json.value.items.length, 1);
    const { nextCursor } = (await list("?pageSize=1000")).json.value;
    assert.equal((await list(`?cursor=${nextCursor}`)).json.value.items.length, COUNT - 1_000);
  });
  test("none is repeated or missed while others are reinstalled", async () => {
    const { storage, clock } = world().portico.ctx;
    const again = [0, 3, 600, 1_134];
    const change = async (page: number) => {
      if (page !== 1) return;
      await storage.write(async (tx) => {
        for (const n of again) assert.equal(await install(tx, place(n), clock.now()), "UNINSTALLED");
        await uninstall(tx, place(1));
      });
    };
    const pages = await readPages("pageSize=200", change);
    assert.deepEqual(targets(pages.flat()), all);
    assert.deepEqual(targets((await list()).json.value.items), all);
    const { items } = await listInstallations(storage.db, APP, {}, { page: 1, pageSize: 2 });
    assert.deepEqual(
      items.map(({ status, installedAt }) => [status, installedAt]),
      [
        ["ACTIVE", clock.now()],
        ["UNINSTALLED", 1_000],
      ],
    );
  });
  test("an invalid cursor and an invalid page size are refused", async () => {
    const good = writeCursor({ firstInstalledAt: 1_000, targetType: "USER", targetId: "ü" });
    assert.deepEqual(parseCursor(good), { firstInstalledAt: 1_000, targetType: "USER", targetId: "ü" });
    const cursors = ["x", "%00", `${good}A`, good.slice(0, -1), Buffer.from("1 USER").toString("base64url")];
    for (const text of ["1 PLACE x", "-1 USER x", "9999999999999999 USER x", "1 USER \0", "1e3 USER x", "01 USER x"]) {
      cursors.push(Buffer.from(text).toString("base64url"));
    }
    cursors.push(Buffer.from([49, 32, 85, 83, 69, 82, 32, 0xff]).toString("base64url"), "A".repeat(2_000));
    for (const cursor of cursors) {
      assertRefused(await list(`?pageSize=10&cursor=${cursor}`), 400, "400006");
      assertRefused(await list(`?cursor=${cursor}`), 400, "400006");
    }
    for (const size of ["0", "1001", "-1", "x", "1.5"]) assertRefused(await list(`?pageSize=${size}`), 400, "400006");
    assertRefused(await list(`?cursor=${good}&cursor=${good}`), 400, "400006");
    assert.equal((await list("?pageSize=&cursor=")).json.value.items.length, COUNT);
  });
  test("the database writes names exactly as JSON.stringify does", async () => {
    const name = '"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028é😀</script>';
    await world().portico.ctx.storage.write(async (tx) => {
      await tx.updateTable("members").set({ name }).execute();
      await tx.updateTable("groups").set({ name }).execute();
    });
    const whole = await list("", "app_bot");
    assert.equal(whole.text, JSON.stringify(whole.json));
    assert.deepEqual(new Set(whole.json.value.items.map((item: Installation) => item.name)), new Set([name]));
    assert.deepEqual((await list("?pageSize=10", "app_bot")).json.value.items, whole.json.value.items);
  });
  if (engine.name === "postgres") {
    test("a slice reads only its own rows, even without table statistics", async () => {
      const { storage } = world().portico.ctx;
      let rowsRead: number | undefined;
      const undone = storage.unhurried.write(async (tx) => {
        // So many that the planner, which assumes few per application, would choose to read and sort all of them.
        await sql`insert into installations (app_id, target_type, target_id, status, installed_at, first_installed_at)
          select ${sql.lit(APP)}, 'USER', 'u_later_' || i, 'ACTIVE', 5000 + i, 5000 + i
          from generate_series(1, 40000) as i`.execute(tx);
        const counts = sql<{ read: number }>`select seq_tup_read + idx_tup_fetch as read
          from pg_stat_xact_user_tables where relname = 'installations'`;
        const before = (await counts.execute(tx)).rows[0]?.read ?? 0;
        await listInstallationTexts(tx, "postgres", APP, {}, BEGINNING);
        rowsRead = ((await counts.execute(tx)).rows[0]?.read ?? 0) - before;
        throw new Error("leave nothing");
      });
      await assert.rejects(undone, /leave nothing/);
      assert.ok(rowsRead !== undefined && rowsRead > 0 && rowsRead <= 251, `${rowsRead}`);
    });
  }
  test("a call is in progress until its answer has been read, and a failing one is cut off", async () => {
    const { ctx } = world().portico;
    const { largeAnswers, coordination, requestLog } = ctx;
    const released: string[] = [];
    const { release } = coordination;
    coordination.release = (...given) => {
      released.push(given[0]);
      return release.apply(coordination, given);
    };
    const { read } = largeAnswers;
    let slices = 0;
    largeAnswers.read = async <T>(bytes: number, work: () => Promise<T>): Promise<T> => {
      // By then more has been read than the first 64 KiB.
      if (++slices < 9) assert.deepEqual(released, []);
      else throw new Error("the database has gone");
      return await read.call<LargeAnswers, [number, () => Promise<T>], Promise<T>>(largeAnswers, bytes, work);
    };
    try {
      const { reqNo, cutOff } = await readUntilCutOff(world());
      assert.ok(cutOff);
      assert.deepEqual(released, [APP]);
      while ((await recordOf(world(), reqNo)) === undefined) await requestLog.flush();
      assert.deepEqual(await recordOf(world(), reqNo), { status: 500, code: "500000" });
      assert.ok(world().logLines.some((line) => line.includes("the database has gone")));
    } finally {
      largeAnswers.read = read;
      coordination.release = release;
    }
    assertSuccess(await list());
  });
  test("a call whose caller disconnects before the first byte ends", async (t) => {
    const { largeAnswers, coordination } = world().portico.ctx;
    const released: string[] = [];
    const { release } = coordination;
    coordination.release = (...given) => {
      released.push(given[0]);
      return release.apply(coordination, given);
    };
    const outgoing = request(world().url + INSTALLATIONS, { headers: signedHeaders(world()), agent: false });
    const { reserve, read } = largeAnswers;
    let response: ServerResponse | null = null;
    largeAnswers.reserve = async (...given) => {
      [, response] = given;
      await reserve.apply(largeAnswers, given);
    };
    largeAnswers.read = async <T>(bytes: number, work: () => Promise<T>): Promise<T> => {
      if (response?.closed === false) {
        const closed = once(response, "close");
        outgoing.destroy();
        await closed;
      }
      return await read.call<LargeAnswers, [number, () => Promise<T>], Promise<T>>(largeAnswers, bytes, work);
    };
    try {
      await assert.rejects(once(outgoing.end(), "response"));
      await t.waitFor(() => assert.deepEqual(released, [APP]));
    } finally {
      Object.assign(largeAnswers, { reserve, read });
      coordination.release = release;
    }
  });
});

function signedHeaders({ clock }: World): Record<string, string> {
  const call = { ...credentialsOf(APP), method: "GET", path: INSTALLATIONS, rawQuery: "", body: "" };
  return { ...signRequest({ ...call, timestamp: clock.now(), nonce: `cut-off-${performance.now()}` }).headers };
}

/** Reads the list until the connection ends; keeps only the reqNo. */
async function readUntilCutOff(world: World): Promise<{ reqNo: string; cutOff: boolean }> {
  const before = new Set(await reqNosOf(world));
  const outgoing = request(world.url + INSTALLATIONS, { headers: signedHeaders(world), agent: false }).end();
  const [response] = await once(outgoing, "response");
  assert.equal(response.statusCode, 200);
  const cutOff = await new Promise<boolean>((resolve) => {
    response
      .on("error", () => resolve(true))
      .on("end", () => resolve(false))
      .resume();
  });
  for (;;) {
    await world.portico.ctx.requestLog.flush();
    const [reqNo] = (await reqNosOf(world)).filter((one) => !before.has(one));
    if (reqNo !== undefined) return { reqNo, cutOff };
  }
}

async function reqNosOf(world: World): Promise<string[]> {
  await world.portico.ctx.requestLog.flush();
  const rows = await world.portico.ctx.storage.db
    .selectFrom("requests")
    .select("req_no")
    .where("app_id", "=", APP)
    .execute();
  return rows.map(({ req_no }) => req_no);
}

async function recordOf(world: World, reqNo: string) {
  return await world.portico.ctx.storage.db
    .selectFrom("requests")
    .select(["status", "code"])
    .where("req_no", "=", reqNo)
    .executeTakeFirst();
}
