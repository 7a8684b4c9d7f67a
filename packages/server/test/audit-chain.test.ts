import assert from "node:assert/strict";
import { sql } from "kysely";
import { auditAnchor, auditHead, sweepAudit } from "../src/domain/audit/audit-chain.ts";
import { recordChange } from "../src/domain/audit/audit-store.ts";
import { ERASED_AFTER, emptyEntries, listEntriesAbout } from "../src/domain/audit/empty-entries.ts";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import { acme, botApp } from "./support/acme.ts";
import { customerApp } from "./support/customer-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const DAY_MS = 86_400_000;
const WRITERS = 20;
/** More than two slices of a sweep. */
const GAP_ENTRIES = 1_200;

onBothEngines("the audit log", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), customerApp("app_desk")));
  const storage = () => world().portico.ctx.storage;
  const record = (
    at: number,
    action = "test.change",
    target = "app:app_bot",
    after: object | null = { text: '一 \u0000 🙂 "it\'s"', at },
  ) =>
    storage().write((tx) =>
      recordChange(
        tx,
        { type: "SYSTEM", id: "test", address: "192.0.2.1" },
        { action, target, before: null, after },
        at,
      ),
    );
  const findings = async (auditEnd: string | null = null) =>
    (await checkStore(world().env, { contents: false, auditEnd })).findings.map(
      ({ kind, problem }) => `${kind}: ${problem}`,
    );
  /** Does something behind the service's back, and undoes it when the findings are there. */
  const tampered = async (change: (tx: Db) => Promise<unknown>): Promise<string[]> => {
    const { db } = storage();
    const kept = {
      entries: await db.selectFrom("audit_entries").selectAll().execute(),
      links: await db.selectFrom("audit_links").selectAll().execute(),
      meta: await db.selectFrom("meta").selectAll().where("name", "like", "audit-%").execute(),
    };
    await storage().write(change);
    try {
      return await findings();
    } finally {
      await storage().write(async (tx) => {
        await tx.deleteFrom("audit_links").execute();
        await tx.deleteFrom("audit_entries").execute();
        for (const entry of kept.entries) await tx.insertInto("audit_entries").values(entry).execute();
      });
      await storage().write(async (tx) => {
        await tx.deleteFrom("audit_links").execute();
        for (const link of kept.links) await tx.insertInto("audit_links").values(link).execute();
        for (const { name, value } of kept.meta) {
          await tx.updateTable("meta").set({ value }).where("name", "=", name).execute();
        }
      });
      assert.deepEqual(await findings(), [], "it is as it was");
    }
  };

  test("is a chain without gaps, however many write to it at once", async () => {
    const now = world().clock.now();
    const before = (await auditHead(storage().db)).position;
    await Promise.all(Array.from({ length: WRITERS }, (_, n) => record(now + n)));
    assert.equal((await auditHead(storage().db)).position, before + WRITERS);
    const report = await checkStore(world().env, { contents: false });
    assert.deepEqual(report.findings, []);
    assert.equal(report.auditEntries, before + WRITERS);
    assert.match(report.auditEnd, /^\d+:[0-9a-f]{64}$/);
    await assert.rejects(
      storage().write(async (tx) => {
        await recordChange(
          tx,
          { type: "SYSTEM", id: "test", address: "" },
          { action: "a.b", target: "", before: null, after: null },
          now,
        );
        throw new Error("undone");
      }),
      /undone/,
    );
    assert.deepEqual(await findings(), [], "what was undone leaves no link");
    // As earlier versions tell of an erasure.
    await record(now, "visitor.erase", "visitor:v_ann", null);
  });

  const third = sql<number>`(select audit_id from audit_links where position = 3)`;
  /** Changes the third entry, and says that the erasure of a visitor has emptied it. */
  const callErased = async (tx: Db, change: { after?: string; target?: string }) => {
    const { erasure } = await tx
      .selectFrom("audit_entries")
      .select((eb) => eb.fn.max("audit_id").as("erasure"))
      .where("action", "=", "visitor.erase")
      .executeTakeFirstOrThrow();
    const update = tx.updateTable("audit_entries").set({ erased_by: erasure, ...change });
    await update.where("audit_id", "=", third).execute();
  };
  for (const [what, change, expected] of [
    [
      "changed",
      (tx) => tx.updateTable("audit_entries").set({ actor_id: "somebody" }).where("audit_id", "=", third).execute(),
      [/the entry was changed/],
    ],
    [
      "removed",
      (tx) => tx.deleteFrom("audit_entries").where("audit_id", "=", third).execute(),
      [/the entry was removed/],
    ],
    [
      "removed with its link",
      async (tx) => {
        await tx.deleteFrom("audit_entries").where("audit_id", "=", third).execute();
        await tx.deleteFrom("audit_links").where("position", "=", 3).execute();
      },
      [/1 links before it are missing/],
    ],
    [
      "moved: two links change places",
      async (tx) => {
        await tx.updateTable("audit_links").set({ position: -1 }).where("position", "=", 3).execute();
        await tx.updateTable("audit_links").set({ position: 3 }).where("position", "=", 4).execute();
        await tx.updateTable("audit_links").set({ position: 4 }).where("position", "=", -1).execute();
      },
      [/does not follow/, /does not follow/, /does not follow/],
    ],
    [
      "cut off at the end",
      async (tx) => {
        const last = sql<number>`(select max(audit_id) from audit_links)`;
        await tx.deleteFrom("audit_entries").where("audit_id", "=", last).execute();
        await tx.deleteFrom("audit_links").where("audit_id", "=", last).execute();
      },
      [/the newest entries were removed or replaced/],
    ],
    [
      "added without a link",
      async (tx) => {
        await tx
          .insertInto("audit_entries")
          .values({
            at: 1,
            actor_type: "SYSTEM",
            actor_id: "x",
            action: "a.b",
            tenant_id: null,
            app_id: null,
            target: "",
            before: null,
            after: null,
            address: "",
          })
          .execute();
        await sql`set constraints all immediate`.execute(tx).catch(() => {});
        await tx
          .deleteFrom("audit_links")
          .where("position", "=", sql<number>`(select max(position) from audit_links)`)
          .execute();
        await tx
          .updateTable("meta")
          .set({ value: await headOf(tx) })
          .where("name", "=", "audit-head")
          .execute();
      },
      [/added without a link/],
    ],
    [
      "called erased without an erasure",
      (tx) => tx.updateTable("audit_entries").set({ erased_by: 1, target: "" }).where("audit_id", "=", third).execute(),
      [/counts as erased, and no entry tells/],
    ],
    [
      "changed and called erased by an erasure of something else",
      (tx) => callErased(tx, { after: "{}" }),
      [/counts as erased, and no entry tells/],
    ],
    [
      "called erased though it says something",
      (tx) => callErased(tx, { target: "visitor:v_ann" }),
      [/counts as erased, and says something/],
    ],
  ] as [string, (tx: Db) => Promise<unknown>, RegExp[]][]) {
    test(`an entry that was ${what} is found`, async () => {
      const found = await tampered(change);
      assert.equal(found.length, expected.length, found.join("\n"));
      for (const [index, problem] of found.entries()) assert.match(problem, expected[index] ?? /none/);
    });
  }

  for (const [what, change] of [
    ["who did something", { actor_id: "somebody" }],
    ["when it was", { at: 1 }],
    ["what was done", { action: "test.other" }],
    ["where it came from", { address: "192.0.2.9" }],
    ["which tenant it concerns", { tenant_id: "t_other" }],
  ] as const) {
    test(`${what} cannot be changed in an entry that an erasure has emptied`, async () => {
      const now = world().clock.now();
      const target = `member:u_${what.replaceAll(" ", "-")}`;
      await record(now, "test.change", target);
      await record(now, "member.erase", target, ERASED_AFTER);
      const { db } = storage();
      const ids = await listEntriesAbout(db, [target], Number.MAX_SAFE_INTEGER);
      const [id = 0, erasure = 0] = ids.sort((a, b) => a - b);
      await storage().write((tx) => emptyEntries(tx, [id], { target }, now));
      assert.deepEqual(await findings(), []);
      const update = (values: object) => (tx: Db) =>
        tx.updateTable("audit_entries").set(values).where("audit_id", "=", id).execute();
      assert.deepEqual(await tampered(update(change)), ["audit: what an erasure has left of it was changed"]);
      // Nor does it count as emptied before there were digests.
      const problem = "audit: it counts as erased, and no entry tells of that erasure";
      assert.deepEqual(await tampered(update({ ...change, erased_by: erasure })), [problem]);
    });
  }
  for (const after of ["", "nothing", "null", "1", '{"entries":null}', '{"entries":"all"}', "[]"]) {
    test(`the digests of what an erasure has left cannot be changed to ${after || "an empty text"}`, async () => {
      const now = world().clock.now();
      const target = `member:u_digests-${Buffer.from(after).toString("hex")}`;
      await record(now, "test.change", target);
      const ids = await listEntriesAbout(storage().db, [target], Number.MAX_SAFE_INTEGER);
      await storage().write((tx) => emptyEntries(tx, ids, { target }, now));
      const update = (tx: Db) =>
        tx
          .updateTable("audit_entries")
          .set({ after })
          .where("action", "=", "audit.erase")
          .where("target", "=", target)
          .execute();
      assert.deepEqual((await tampered(update)).sort(), [
        "audit: it counts as erased, and no entry tells of that erasure",
        "audit: the entry was changed",
      ]);
    });
  }

  test("that was written anew from some entry on does not have the end that was noted before", async () => {
    const { auditEnd } = await checkStore(world().env, { contents: false });
    await record(world().clock.now());
    assert.deepEqual(await findings(auditEnd), []);
    const other = auditEnd.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    assert.match((await findings(other)).join(), /noted earlier is not in the chain: it was written anew/);
    await assert.rejects(findings("5"), /POSITION:HASH/);
  });

  test("is swept from its beginning, and can be checked still", async () => {
    const now = world().clock.now();
    const old = (await auditHead(storage().db)).position;
    await record(now + DAY_MS, "test.young");
    await record(now - DAY_MS, "test.behind");
    await sweepAudit(storage().unhurried, now + DAY_MS / 2, now);
    const anchor = await auditAnchor(storage().db);
    assert.equal(anchor.position, old);
    assert.match(
      (await findings(`1:${"0".repeat(64)}`)).join(),
      /which begins after \d+: all before was swept, or it was written anew/,
    );
    const left = await storage().db.selectFrom("audit_entries").select("action").orderBy("audit_id").execute();
    assert.deepEqual(
      left.map(({ action }) => action),
      ["test.young", "test.behind"],
    );
    assert.deepEqual(await findings(), []);
    await record(now + DAY_MS);
    assert.deepEqual(await findings(), []);
    await sweepAudit(storage().unhurried, now + 2 * DAY_MS, now);
    assert.deepEqual(await storage().db.selectFrom("audit_links").selectAll().execute(), []);
    assert.deepEqual(await findings(), []);
  });

  test("is swept past entries that somebody has removed, and says so", async () => {
    const now = world().clock.now();
    const { position } = await auditHead(storage().db);
    for (let n = 0; n < GAP_ENTRIES; n++) await record(now);
    const at = (from: number, to: number) =>
      sql<number>`(select audit_id from audit_links where position between ${position + from} and ${position + to})`;
    const remove = (from: number, to: number) =>
      storage().write((tx) => tx.deleteFrom("audit_entries").where("audit_id", "in", at(from, to)).execute());
    const sweep = () => sweepAudit(storage().unhurried, now + 1, now + DAY_MS);
    const gaps = async () =>
      (await storage().db.selectFrom("audit_entries").select("after").where("action", "=", "audit.gap").execute()).map(
        ({ after }) => JSON.parse(after ?? ""),
      );
    const links = async () =>
      Number((await sql<{ n: number }>`select count(*) as n from audit_links`.execute(storage().db)).rows[0]?.n);

    // More than one slice of them, with one left before and one behind; two that have lost their links, too.
    await remove(2, GAP_ENTRIES - 3);
    await storage().write((tx) =>
      tx
        .deleteFrom("audit_links")
        .where("position", "in", [position + 3, position + 4])
        .execute(),
    );
    await sweep();
    const found = await gaps();
    assert.equal(
      found.reduce((sum, { missing }) => sum + missing, 0),
      GAP_ENTRIES - 4,
    );
    assert.equal(found[0].from, position + 1);
    assert.equal((await auditAnchor(storage().db)).position, position + GAP_ENTRIES);
    assert.equal(await links(), found.length);
    const problems = await findings();
    assert.equal(problems.length, found.length);
    assert.match(problems[0] ?? "", /the sweep found older entries missing: \{"missing":\d+/);

    // Nobody can tell how old the missing ones are that nothing old follows.
    await record(now);
    await record(now);
    await record(now + 2 * DAY_MS);
    const head = (await auditHead(storage().db)).position;
    await storage().write((tx) =>
      tx
        .deleteFrom("audit_entries")
        .where("audit_id", "in", sql<number>`(select audit_id from audit_links where position = ${head - 1})`)
        .execute(),
    );
    await sweepAudit(storage().unhurried, now + DAY_MS + 1, now + DAY_MS);
    assert.equal((await auditAnchor(storage().db)).position, head - 2);
    assert.deepEqual(await findings(), ["audit: the entry was removed"]);
    await sweepAudit(storage().unhurried, now + 3 * DAY_MS, now + 4 * DAY_MS);
    assert.deepEqual(await gaps(), [{ missing: 1, from: head - 1, to: head }]);
    await sweepAudit(storage().unhurried, now + 5 * DAY_MS, now);
    assert.deepEqual(await findings(), []);
  });

  test("what is searched is compared with what is there", async () => {
    if (engine.name !== "sqlite") return;
    await storage().write(async (tx) => {
      await sql`delete from search_index where rowid = (select search_id from search_rows where kind = 'members' and entity_id = 'u_bob')`.execute(
        tx,
      );
      await sql`insert into search_rows (kind, entity_id) values ('visitors', 'v_gone')`.execute(tx);
    });
    assert.deepEqual(await findings(), [
      "search: it is not found by what it says",
      "search: it is in the index, and nowhere else",
    ]);
  });
});

async function headOf(tx: Db): Promise<string> {
  const { position, hash } = await tx
    .selectFrom("audit_links")
    .select(["position", "hash"])
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return `${position} ${hash}`;
}
