import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import { backUp } from "../src/operations/backup/backup.ts";
import { markComplete } from "../src/operations/backup/move-in.ts";
import { restore } from "../src/operations/backup/restore.ts";
import { openKeys, sealKeys } from "../src/operations/backup/sealed-key.ts";
import { makeWorkFolder } from "../src/operations/backup/work-folder.ts";
import { checkStore } from "../src/operations/check-store/check-store.ts";
import { checkConfiguration } from "../src/operations/doctor.ts";
import { migrateStore } from "../src/operations/migrate-store.ts";
import { backupPassphrase } from "../src/platform/config/settings.ts";
import { acme, alice, botApp, sendText } from "./support/acme.ts";
import { assertSuccess } from "./support/assert-answer.ts";
import { sqlite } from "./support/engines.ts";
import { CHEAP_HASHES } from "./support/hash-cost.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { mountSmallDisk } from "./support/small-disk.ts";
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
  test("is restored without a listener left behind for each piece that is read", async (t) => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on("warning", note);
    t.after(() => process.off("warning", note));
    await restore(file, envOf(join(folderOf(t), "data")), { passphrase: PASSPHRASE });
    assert.ok(!warnings.includes("MaxListenersExceededWarning"));
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
  test("whose restore was killed while it was read is restored anew", async (t) => {
    const dataDir = folderOf(t);
    mkdirSync(join(dataDir, ".restoring"));
    writeFileSync(join(dataDir, ".restoring", "portico.db"), "half of it");
    const start = World.on(sqlite, { env: envOf(dataDir), dispose: async () => {} }, null);
    await assert.rejects(start, /was interrupted: run the same `portico restore` again/);
    // Somebody else's, as nothing was complete.
    writeFileSync(join(dataDir, "master.key"), "of the operator");
    await assert.rejects(restore(file, envOf(dataDir), { passphrase: PASSPHRASE }), /not empty \(master\.key\)/);
    assert.equal(readFileSync(join(dataDir, "master.key"), "utf8"), "of the operator");
    rmSync(join(dataDir, "master.key"));
    await restore(file, envOf(dataDir), { passphrase: PASSPHRASE });
    assert.deepEqual((await checkStore(envOf(dataDir), { contents: true })).findings, []);
  });
  test("whose restore was killed when all was there is completed, wherever it stopped", async (t) => {
    const another = join(folderOf(t), "another.tar");
    await backUp(another, world.env, { passphrase: PASSPHRASE });
    for (const moved of [[], ["blobs"], ["blobs", "master.key"], ["blobs", "master.key", "portico.db"]]) {
      const dataDir = join(folderOf(t), "data");
      const first = await restore(file, envOf(dataDir), { passphrase: PASSPHRASE });
      const work = join(dataDir, ".restoring");
      mkdirSync(work);
      for (const name of ["blobs", "master.key", "portico.db"]) {
        if (!moved.includes(name)) renameSync(join(dataDir, name), join(work, name));
      }
      await markComplete(work, first);
      await assert.rejects(migrateStore(envOf(dataDir)), /was interrupted/);
      await assert.rejects(restore(another, envOf(dataDir), { passphrase: PASSPHRASE }), /was of the backup of/);
      const lines: string[] = [];
      const options = { passphrase: PASSPHRASE, progress: (line: string) => lines.push(line) };
      assert.deepEqual(await restore(file, envOf(dataDir), options), first);
      assert.match(lines.join(), /completing/);
      assert.ok(!existsSync(work));
      assert.deepEqual((await checkStore(envOf(dataDir), { contents: true })).findings, [], moved.join());
    }
  });
  test("that cannot be moved in says so, keeps what it has, and goes on later", async (t) => {
    const dataDir = join(folderOf(t), "data");
    const inTheWay = join(dataDir, "portico.db");
    const progress = (line: string) => {
      if (line === "database") writeFileSync(inTheWay, "somebody's");
    };
    await assert.rejects(
      restore(file, envOf(dataDir), { passphrase: PASSPHRASE, progress }),
      /portico\.db has been put there meanwhile: move it away.*goes on from there/,
    );
    assert.equal(readFileSync(inTheWay, "utf8"), "somebody's");
    rmSync(inTheWay);
    await restore(file, envOf(dataDir), { passphrase: PASSPHRASE });
    assert.deepEqual((await checkStore(envOf(dataDir), { contents: true })).findings, []);
  });
  test("is not made with another key than the database's, which nobody could restore", async (t) => {
    const folder = folderOf(t);
    const env = { ...world.env, PORTICO_MASTER_KEY: "0".repeat(64) };
    const making = backUp(join(folder, "b.tar"), env, { passphrase: PASSPHRASE });
    await assert.rejects(making, /not the one that this database was written with/);
    assert.deepEqual(readdirSync(folder), []);
  });
  test("is refused where the disk has no room for it beside what the service keeps free", async (t) => {
    const folder = folderOf(t);
    // Of the folder that the service is in, so that they share a disk.
    const target = join(world.env.PORTICO_DATA_DIR ?? "", "b.tar");
    const env = { ...world.env, PORTICO_LIMITS_DISK_RESERVE: "900TiB" };
    await assert.rejects(backUp(target, env, { passphrase: null }), /with what the service keeps free: name a file/);
    assert.ok(!existsSync(target));
    await backUp(join(folder, "b.tar"), world.env, { passphrase: null });
  });
  test("removes what one that was killed had left, and nobody else's", async (t) => {
    const folder = folderOf(t);
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const running = await makeWorkFolder(folder);
    const nameOf = (process: number | undefined) => basename(running).replace(/-\d+-\w{6}$/, `-${process}-aaaaaa`);
    const killed = nameOf(pid);
    const others = [basename(running), nameOf(pid).replace(hostname(), "elsewhere")];
    for (const name of [killed, ...others]) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, killed, "unfinished"), "half of a backup");
    const lines: string[] = [];
    await backUp(join(folder, "b.tar"), world.env, { passphrase: null, progress: (line) => lines.push(line) });
    assert.deepEqual(readdirSync(folder).sort(), [...others, "b.tar"].sort());
    assert.ok(lines.some((line) => line.includes(killed)));
  });
  test("is made on a disk that one that was killed had filled", async (t) => {
    const disk = mountSmallDisk(64, 30);
    if (typeof disk === "string") return t.skip(disk);
    t.after(() => disk.dispose());
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const left = (await makeWorkFolder(disk.directory)).replace(/-\d+-\w{6}$/, `-${pid}-aaaaaa`);
    renameSync(join(disk.directory, readdirSync(disk.directory)[0] ?? ""), left);
    assert.throws(
      () => {
        for (let n = 0; ; n++) writeFileSync(join(left, `file ${n}`), "");
      },
      { code: "ENOSPC" },
    );
    const made = join(disk.directory, "b.tar");
    await backUp(made, world.env, { passphrase: null });
    assert.deepEqual(readdirSync(disk.directory), ["b.tar"]);
  });
  for (const [where, mounted] of [
    ["an empty folder", false],
    ["a file system of its own", true],
  ] as const) {
    test(`is restored to a data directory whose \`blobs\` is ${where}`, async (t) => {
      const dataDir = mkdtempSync(join(tmpdir(), "portico-test-"));
      const blobs = join(dataDir, "blobs");
      t.after(() => {
        if (mounted) spawnSync("umount", ["-l", blobs]);
        rmSync(dataDir, { recursive: true });
      });
      mkdirSync(blobs);
      if (mounted && spawnSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", blobs]).status !== 0)
        return t.skip("needs the right to mount a small disk");
      const { dev } = statSync(blobs);
      const check = async () => {
        assert.deepEqual((await checkStore(envOf(dataDir), { contents: true })).findings, []);
        assert.deepEqual([statSync(blobs).dev, existsSync(join(blobs, ".restoring"))], [dev, false]);
      };
      writeFileSync(join(blobs, "stranger"), "somebody's");
      await assert.rejects(restore(file, envOf(dataDir), { passphrase: PASSPHRASE }), /not empty \(blobs\)/);
      rmSync(join(blobs, "stranger"));
      await assert.rejects(restore(file, envOf(dataDir), { passphrase: "another" }), /is not the passphrase/);
      assert.deepEqual(readdirSync(blobs), []);
      const first = await restore(file, envOf(dataDir), { passphrase: PASSPHRASE });
      assert.ok(first.files > 0);
      await check();

      // Killed when all was there, with one folder of files moved.
      const work = join(dataDir, ".restoring");
      mkdirSync(join(blobs, ".restoring"));
      mkdirSync(work);
      for (const name of ["master.key", "portico.db"]) renameSync(join(dataDir, name), join(work, name));
      const shards = readdirSync(blobs).filter((name) => name !== ".restoring");
      for (const name of shards.slice(1)) renameSync(join(blobs, name), join(blobs, ".restoring", name));
      symlinkSync("../blobs/.restoring", join(work, "blobs"));
      await markComplete(work, first);
      assert.deepEqual(await restore(file, envOf(dataDir), { passphrase: PASSPHRASE }), first);
      await check();
    });
  }
  test("leaves no key out because of an empty passphrase", (t) => {
    const empty = join(folderOf(t), "passphrase");
    writeFileSync(empty, "\n");
    assert.throws(() => backupPassphrase({ PORTICO_BACKUP_PASSPHRASE_FILE: empty }), /is empty: set a passphrase/);
    assert.throws(() => backupPassphrase({ PORTICO_BACKUP_PASSPHRASE: "" }), /PORTICO_BACKUP_PASSPHRASE is empty/);
    assert.equal(backupPassphrase({}), null);
  });
  test("is not sealed by a passphrase of fewer than 12 characters", async (t) => {
    const [target, named] = [join(folderOf(t), "backup.tar"), join(folderOf(t), "passphrase")];
    for (const short of ["x", "elevenchars", "\u{1F40E}".repeat(11), `abcdef${" ".repeat(20)}`]) {
      writeFileSync(named, `${short}\n`);
      for (const env of [{ PORTICO_BACKUP_PASSPHRASE: short }, { PORTICO_BACKUP_PASSPHRASE_FILE: named }]) {
        const passphrase = backupPassphrase(env);
        await assert.rejects(backUp(target, world.env, { passphrase }), /has \d+ characters, and needs 12/);
        const found = (await checkConfiguration({ ...world.env, ...env })).filter(({ state }) => state === "fault");
        assert.deepEqual(
          found.map(({ check }) => check),
          ["backup passphrase"],
        );
      }
    }
    assert.equal(existsSync(target), false);
    const report = await backUp(target, world.env, { passphrase: "twelve chars" });
    assert.equal(report.hasKey, true);
  });
  test("whose key an earlier version sealed by a shorter passphrase is opened with it", async () => {
    const short = backupPassphrase({ PORTICO_BACKUP_PASSPHRASE: "short" }) ?? "";
    const keys = [Buffer.alloc(32, 7)];
    assert.deepEqual(await openKeys(await sealKeys(keys, short), short), keys);
  });
  test("copied while a file expired is whole: nobody misses that file", async (t) => {
    const early = await World.create(sqlite, provision);
    t.after(() => early.dispose());
    await uploadKey(early, "app_bot");
    const { storage } = early.portico.ctx;
    const [row] = (await sql<{ blobKey: string }>`select blob_key as "blobKey" from files`.execute(storage.db)).rows;
    const key = row?.blobKey ?? assert.fail("a file was uploaded");
    rmSync(join(early.env.PORTICO_DATA_DIR ?? "", "blobs", key.slice(0, 2), key));
    assert.equal((await checkStore(early.env, { contents: false })).findings.length, 1);
    await storage.write((tx) => sql`update files set expires_at = 1 where blob_key = ${key}`.execute(tx));
    await storage.synced();
    assert.deepEqual((await checkStore(early.env, { contents: false })).findings, []);
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
