import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import { backUp } from "../src/operations/backup/backup.ts";
import { restore } from "../src/operations/backup/restore.ts";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { acme, alice, botApp, sendText } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { sqlite } from "./support/engines.ts";
import { CHEAP_HASHES } from "./support/hash-cost.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { PIXEL, uploadKey } from "./support/uploads.ts";
import { World } from "./support/world.ts";

const PASSPHRASE = "correct horse battery staple";
const SENDERS = 4;
const provision = acme(botApp("app_bot"));

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "portico-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The configuration of a service with this data directory and nothing else. */
function envOf(dataDir: string): Record<string, string> {
  return { PORTICO_DATA_DIR: dataDir, PORTICO_PORT: "0" };
}

/** Sends until it is stopped; resolves with the texts that were acknowledged. */
function keepSending(world: World, name: string, signal: AbortSignal): Promise<string[]> {
  const send = async () => {
    const acknowledged: string[] = [];
    while (!signal.aborted) {
      const text = `${name} ${acknowledged.length}`;
      assertSuccess(await sendText(world, "app_bot", text));
      acknowledged.push(text);
    }
    return acknowledged;
  };
  return send();
}

describe("a backup", () => {
  let folder = "";
  let world: World;
  let file = "";
  /** What was acknowledged before the backup began. */
  const early: string[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "portico-test-"));
    file = join(folder, "backup.tar");
    world = await World.create(sqlite, provision);
    const imgKey = await uploadKey(world, "app_bot");
    const image = {
      receiveIdType: "group_id",
      receiveId: "g_team",
      msgType: "image",
      content: { fileKey: imgKey, width: 1, height: 1 },
    };
    assertSuccess(await sendText(world, "app_bot", "", { body: JSON.stringify(image) }));
    const stop = new AbortController();
    const sending = Array.from({ length: SENDERS }, (_, n) => keepSending(world, `sender ${n},`, stop.signal));
    for (let n = 0; n < 20; n++) {
      const text = `before ${n}`;
      assertSuccess(await sendText(world, "app_bot", text));
      early.push(text);
    }
    const report = await backUp(file, world.env, { passphrase: PASSPHRASE });
    stop.abort();
    await Promise.all(sending);
    assert.deepEqual([report.hasKey, report.hasFiles, report.files, report.faulty], [true, true, 1, []]);
  });
  after(async () => {
    await world.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test("made under load has everything acknowledged before, and the restored service runs", async (t) => {
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const dataDir = join(folderOf(t), "data");
    const report = await restore(file, envOf(dataDir), { passphrase: PASSPHRASE });
    assert.equal(report.files, 1);
    assert.deepEqual((await checkStore(envOf(dataDir), { contents: true })).findings, []);

    const copy = await World.on(
      sqlite,
      { env: envOf(dataDir), dispose: async () => {} },
      null,
      {},
      { hashCost: CHEAP_HASHES },
    );
    t.after(() => copy.dispose());
    const member = await MemberClient.signIn(copy, alice);
    const history = await member.history("group:g_team");
    const texts = history.map(({ content }) => (content as { text?: string } | null)?.text ?? "");
    for (const text of early) assert.ok(texts.includes(text), text);
    assert.deepEqual(
      history.map(({ msgSeq }) => msgSeq),
      history.map((_, index) => index + 1),
      "it is one moment: numbers without gaps",
    );
    const [image] = history
      .filter(({ msgType }) => msgType === "image")
      .map(({ content }) => content as { url: string });
    const { pathname } = new URL(image?.url ?? "");
    assert.deepEqual((await send(`${copy.url}${pathname}`)).bytes, PIXEL);
    assertSuccess(await sendText(copy, "app_bot", "the credentials still work: the key was restored"));
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      assert.equal(statSync(path).mode & 0o077, 0, path);
    }
  });
  test("replaces no file, and leaves nothing where it fails", async (t) => {
    const kept = join(folderOf(t), "backup.tar");
    writeFileSync(kept, "precious");
    await assert.rejects(backUp(kept, world.env, { passphrase: null }), /exists already/);
    assert.equal(readFileSync(kept, "utf8"), "precious");
    const nowhere = join(folderOf(t), "no", "folder", "backup.tar");
    await assert.rejects(backUp(nowhere, world.env, { passphrase: null }), /a folder that exists/);
    const empty = folderOf(t);
    await assert.rejects(backUp(join(empty, "b.tar"), envOf(join(empty, "data")), { passphrase: null }), /portico\.db/);
    assert.deepEqual(readdirSync(empty), []);
  });
  test("without a passphrase leaves the key out; a start without it stops, and makes none", async (t) => {
    const open = join(folderOf(t), "open.tar");
    const report = await backUp(open, world.env, { passphrase: null });
    assert.equal(report.hasKey, false);
    const key = readFileSync(join(world.env.PORTICO_DATA_DIR ?? "", "master.key"), "utf8");
    assert.ok(!readFileSync(open).includes(key));
    const dataDir = join(folderOf(t), "data");
    await restore(open, envOf(dataDir), { passphrase: null });
    await assert.rejects(
      World.on(sqlite, { env: envOf(dataDir), dispose: async () => {} }, null),
      /master\.key is missing/,
    );
    assert.equal(existsSync(join(dataDir, "master.key")), false);
    assert.match(
      (await checkStore(envOf(dataDir), { contents: false })).findings.map(({ problem }) => problem).join(),
      /missing/,
    );
    const env = { ...envOf(dataDir), PORTICO_MASTER_KEY: key };
    const copy = await World.on(sqlite, { env, dispose: async () => {} }, null);
    t.after(() => copy.dispose());
    assertSuccess(await sendText(copy, "app_bot", "with the key it runs"));
  });
  test("that is interrupted leaves nothing behind, wherever it is", async (t) => {
    const folder = folderOf(t);
    for (const lines of [1, 2]) {
      const interrupted = new AbortController();
      let told = 0;
      const progress = () => {
        if (++told === lines) interrupted.abort();
      };
      const making = backUp(join(folder, "b.tar"), world.env, {
        passphrase: null,
        progress,
        signal: interrupted.signal,
      });
      if (lines === 1) await assert.rejects(making, { name: "AbortError" });
      else await making.catch(() => {});
      rmSync(join(folder, "b.tar"), { force: true });
      assert.deepEqual(readdirSync(folder), []);
    }
    const dataDir = join(folderOf(t), "data");
    const interrupted = new AbortController();
    const progress = () => interrupted.abort();
    const options = { passphrase: PASSPHRASE, progress, signal: interrupted.signal };
    await assert.rejects(restore(file, envOf(dataDir), options), { name: "AbortError" });
    assertUntouched(dataDir);
  });
  test("whose restore was killed half-way is no store to start on, and can be restored again", async (t) => {
    const dataDir = folderOf(t);
    mkdirSync(join(dataDir, ".restoring"));
    mkdirSync(join(dataDir, "blobs"));
    writeFileSync(join(dataDir, "blobs", "left over"), "");
    writeFileSync(join(dataDir, "master.key"), "of the restore that was killed");
    const start = World.on(sqlite, { env: envOf(dataDir), dispose: async () => {} }, null);
    await assert.rejects(start, /was interrupted: run `portico restore` again/);
    await restore(file, envOf(dataDir), { passphrase: PASSPHRASE });
    assert.deepEqual((await checkStore(envOf(dataDir), { contents: true })).findings, []);
    assert.ok(!existsSync(join(dataDir, "blobs", "left over")));
  });
  test("whose key the configuration has is restored without writing it, and refuses another", async (t) => {
    const key = readFileSync(join(world.env.PORTICO_DATA_DIR ?? "", "master.key"), "utf8");
    const dataDir = join(folderOf(t), "data");
    const other = { ...envOf(dataDir), PORTICO_MASTER_KEY: "0".repeat(64) };
    await assert.rejects(restore(file, other, { passphrase: PASSPHRASE }), /another key than the one in the backup/);
    assertUntouched(dataDir);
    await restore(file, { ...envOf(dataDir), PORTICO_MASTER_KEY: key }, { passphrase: PASSPHRASE });
    assert.equal(existsSync(join(dataDir, "master.key")), false);
  });
  test("with a passphrase holds the key sealed only", () => {
    const key = readFileSync(join(world.env.PORTICO_DATA_DIR ?? "", "master.key"), "utf8");
    const archive = readFileSync(file);
    for (const form of [key, Buffer.from(key, "hex"), Buffer.from(key, "hex").toString("base64")]) {
      assert.ok(!archive.includes(form));
    }
    assert.ok(!archive.includes(PASSPHRASE));
  });

  describe("is not restored", () => {
    for (const [what, passphrase, expected] of [
      ["with a wrong passphrase", "wrong horse", /not the passphrase/],
      ["without its passphrase", null, /set PORTICO_BACKUP_PASSPHRASE/],
    ] as const) {
      test(what, async (t) => {
        const dataDir = join(folderOf(t), "data");
        await assert.rejects(restore(file, envOf(dataDir), { passphrase }), expected);
        assertUntouched(dataDir);
      });
    }
    test("over anything", async (t) => {
      const dataDir = folderOf(t);
      writeFileSync(join(dataDir, "portico.db"), "somebody's");
      await assert.rejects(restore(file, envOf(dataDir), { passphrase: PASSPHRASE }), /not empty/);
      assert.equal(readFileSync(join(dataDir, "portico.db"), "utf8"), "somebody's");
      await assert.rejects(restore(file, world.env, { passphrase: PASSPHRASE }), /not empty/);
    });
    test("damaged: cut off, changed, or something else altogether", async (t) => {
      const whole = readFileSync(file);
      const database = whole.indexOf("SQLite format 3");
      const pixel = whole.indexOf(PIXEL);
      assert.ok(database > 0 && pixel > 0);
      const changed = (at: number) => {
        const copy = Buffer.from(whole);
        copy.writeUInt8((copy[at] ?? 0) ^ 1, at);
        return copy;
      };
      const endless = whole.subarray(0, whole.lastIndexOf("end.json"));
      for (const [what, content] of [
        ["empty", Buffer.alloc(0)],
        ["no archive", Buffer.from("this is no archive, but long enough to be one".repeat(100))],
        ["cut within the database", whole.subarray(0, database + 10_000)],
        ["cut before its end", endless],
        ["a page of the database", changed(database + 5_000)],
        ["a byte of a file", changed(pixel + 20)],
      ] as const) {
        const [damaged, dataDir] = [join(folderOf(t), "damaged.tar"), join(folderOf(t), "data")];
        writeFileSync(damaged, content);
        await assert.rejects(
          restore(damaged, envOf(dataDir), { passphrase: PASSPHRASE }),
          /is damaged, or no backup/,
          what,
        );
        assertUntouched(dataDir);
      }
    });
  });
  test("names files whose content was missing or damaged already, and is restored without them", async (t) => {
    const faulty = await World.create(sqlite, provision);
    t.after(() => faulty.dispose());
    const contents = [PIXEL, Buffer.concat([PIXEL, Buffer.from("2")]), Buffer.concat([PIXEL, Buffer.from("3")])];
    for (const content of contents) await uploadKey(faulty, "app_bot", { content });
    const rows = await sql<{ blobKey: string }>`select blob_key as "blobKey" from files order by size`.execute(
      faulty.portico.ctx.storage.db,
    );
    const [good = "", gone = "", bad = ""] = rows.rows.map(({ blobKey }) => blobKey);
    const pathOf = (key: string) => join(faulty.env.PORTICO_DATA_DIR ?? "", "blobs", key.slice(0, 2), key);
    rmSync(pathOf(gone));
    writeFileSync(pathOf(bad), "damaged");
    const archive = join(folderOf(t), "backup.tar");
    const report = await backUp(archive, faulty.env, { passphrase: null });
    assert.deepEqual(report.faulty.toSorted(), [bad, gone].toSorted());

    const dataDir = join(folderOf(t), "data");
    const restored = await restore(archive, envOf(dataDir), { passphrase: null });
    assert.deepEqual(restored.faulty.toSorted(), [bad, gone].toSorted());
    assert.deepEqual(readFileSync(join(dataDir, "blobs", good.slice(0, 2), good)), PIXEL);
    const { findings } = await checkStore(
      { ...envOf(dataDir), PORTICO_MASTER_KEY: "0".repeat(64) },
      { contents: true },
    );
    assert.deepEqual(
      findings
        .filter(({ kind }) => kind === "file")
        .map(({ of }) => of)
        .toSorted(),
      [bad, gone].toSorted(),
    );
  });
});

/** A restore that failed leaves nothing that a service would start on. */
function assertUntouched(dataDir: string): void {
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => !name.startsWith("instance.")),
    [],
  );
}
