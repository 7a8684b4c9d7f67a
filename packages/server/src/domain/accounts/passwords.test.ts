import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { ApiError } from "@portico/protocol";
import { HashThread } from "./hash-thread.ts";
import { type HashPlace, PasswordHasher } from "./passwords.ts";

/** Salt and tag of "alice's password", as the database stores them. */
const HASH = "MDEyMzQ1Njc4OWFiY2RlZp22ig8srMM7nERKrJqANrjCsiEWXcFursVzEmoBFMot";
const PLACE: HashPlace = { lane: "members", caller: "a", reserved: false };

describe("hashing passwords", () => {
  test("the right password matches, another one does not, and nothing matches a null hash", async (t) => {
    const passwords = new PasswordHasher({ threads: 1 });
    t.after(() => passwords.close());
    const [one, other] = await Promise.all([passwords.hash("pässword ✓"), passwords.hash("pässword ✓")]);
    assert.notEqual(one, other);
    assert.equal(Buffer.from(one, "base64").length, 48);
    assert.equal(await passwords.verify("pässword ✓", one, PLACE), true);
    assert.equal(await passwords.verify("pässword", one, PLACE), false);
    assert.equal(await passwords.verify("pässword ✓", null, PLACE), false);
  });
  test("a stored hash stays valid", async (t) => {
    const passwords = new PasswordHasher({ threads: 1 });
    t.after(() => passwords.close());
    assert.equal(await passwords.verify("alice's password", HASH, PLACE), true);
  });
  test("lanes are served round-robin; in a lane reserved checks go first and callers are served round-robin", async (t) => {
    const passwords = new PasswordHasher({ threads: 1 });
    t.after(() => passwords.close());
    const ended: string[] = [];
    const check = async (name: string, place: Partial<HashPlace>) => {
      await passwords.verify("x", null, { ...PLACE, ...place });
      ended.push(name);
    };
    await Promise.all([
      check("under way", {}),
      check("members a1", {}),
      check("members a2", {}),
      check("members b1", { caller: "b" }),
      check("members reserved", { reserved: true }),
      check("console", { lane: "console", caller: "c" }),
      passwords.hash("x").then(() => ended.push("own")),
    ]);
    const expected = ["under way", "own", "console", "members reserved", "members a1", "members b1", "members a2"];
    assert.deepEqual(ended, expected);
  });
  test("16 ordinary checks of a lane may wait and more are refused; other lanes and reserved checks are not affected", async () => {
    const passwords = new PasswordHasher({ threads: 1 });
    const refused: unknown[] = [];
    const check = (place: Partial<HashPlace>) =>
      passwords.verify("x", null, { ...PLACE, ...place }).catch((error: unknown) => void refused.push(error));
    const checks = Array.from({ length: 17 }, () => check({}));
    const more = [check({}), check({ lane: "console" }), check({ reserved: true }), check({ caller: "b" })];
    await more[0];
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(refused.length, 2, "one of its own, and one that made room for another caller's");
    for (const error of refused) assert.ok(error instanceof ApiError && error.retryAfterSeconds === 1);
    await passwords.close();
    await Promise.all([...checks, ...more]);
    assert.ok(refused.length > 12, "the rest fails at the end");
  });
});

describe("hash thread", () => {
  test("a thread that has been idle ends; the next password starts another one", async (t) => {
    const thread = new HashThread(1);
    t.after(() => thread.close());
    const order = { password: "x", salt: randomBytes(16), cost: { memoryKib: 64, passes: 1 } };
    const tag = await thread.tag(order);
    while (thread.isRunning) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await thread.tag(order), tag);
  });
  test("a thread that exits is replaced by another", async (t) => {
    const thread = new HashThread();
    t.after(() => thread.close());
    const cost = { memoryKib: 8, passes: 1 };
    await assert.rejects(thread.tag({ password: "x", salt: Buffer.alloc(1), cost }));
    assert.equal((await thread.tag({ password: "x", salt: randomBytes(16), cost })).length, 32);
  });
});
