import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiError } from "@portico/protocol";
import { MemorySignIns } from "../../platform/coordination/memory-sign-ins.ts";
import { LoginThrottle } from "./login-throttle.ts";
import { PasswordSignIn, type SignInAttempt } from "./password-sign-in.ts";
import type { HashPlace } from "./passwords.ts";

const MINUTE = 60_000;

/** A sign-in where every account's password is "right", hashing takes no time, and every delay is recorded. */
function office(accounts: ReadonlySet<string>) {
  const clock = { at: 0, now: () => clock.at, monotonic: () => clock.at };
  const waits: number[] = [];
  const checks: (HashPlace & { exists: boolean })[] = [];
  const signIn = new PasswordSignIn({
    throttle: new LoginThrottle(new MemorySignIns()),
    clock,
    sleep: async (ms) => void waits.push(ms),
    passwords: {
      verify: async (password, hash, place) => {
        checks.push({ ...place, exists: hash !== null });
        return hash !== null && password === "right";
      },
      afterAllOf: async () => {},
    },
  });
  const attempt = async (account: string, password: string, other: Partial<SignInAttempt> = {}) => {
    const find = async () => {
      await late();
      return accounts.has(account) ? { passwordHash: "hash", account } : null;
    };
    try {
      const found = await signIn.attempt({ lane: "members", account, caller: "203.0.113.9", password, ...other }, find);
      return found === null ? "wrong" : "in";
    } catch (error) {
      assert.ok(error instanceof ApiError && error.kind === "QUOTA_EXCEEDED", String(error));
      return `${error.message} ${error.retryAfterSeconds}`;
    }
  };
  /** Uses up a caller's failure budget with accounts that do not exist. */
  const spend = async (other?: Partial<SignInAttempt>) => {
    for (let n = 0; n < 100; n++) assert.equal(await attempt(`made up ${n}`, "x", other), "wrong");
  };
  return { clock, waits, checks, attempt, spend };
}

const PEOPLE = new Set(Array.from({ length: 500 }, (_, n) => `person ${n}`));
/** Lets all attempts that have begun run first. */
const late = () => new Promise((resolve) => setImmediate(resolve));
const REFUSED = "登录请求过多,请稍后再试 2";

describe("signing in by a password", () => {
  test("500 people behind one address sign in, sixteen at a time, some of them on the second attempt", async () => {
    const { attempt, waits } = office(PEOPLE);
    const people = [...PEOPLE];
    for (let first = 0; first < people.length; first += 16) {
      const outcomes = people.slice(first, first + 16).map(async (person, n) => {
        if (n % 10 === 0) assert.equal(await attempt(person, "mistyped"), "wrong");
        return await attempt(person, "right");
      });
      assert.deepEqual(new Set(await Promise.all(outcomes)), new Set(["in"]));
    }
    assert.ok(waits.every((ms) => ms > 0 && ms <= 1_000));
  });
  test("500 simultaneous correct sign-ins all succeed", async () => {
    const { attempt } = office(PEOPLE);
    const outcomes = await Promise.all([...PEOPLE].map((person) => attempt(person, "right")));
    assert.deepEqual(new Set(outcomes), new Set(["in"]));
  });
  test("a caller with a hundred failures is refused before any hashing, one second later, until the budget refills", async () => {
    const { attempt, spend, checks, waits, clock } = office(PEOPLE);
    await spend();
    assert.deepEqual([checks.length, waits.length], [100, 0]);
    assert.equal(await attempt("made up", "x"), REFUSED);
    assert.deepEqual([checks.length, waits.length], [100, 1]);
    assert.ok(waits.every((ms) => ms > 0 && ms <= 1_000));
    clock.at += 2_000;
    assert.equal(await attempt("made up", "x"), "wrong");
    assert.equal(await attempt("made up", "x"), REFUSED);
  });
  test("accounts without failures have reserved places and go before all others", async () => {
    const { attempt, spend, checks } = office(PEOPLE);
    await spend();
    for (const person of PEOPLE) assert.equal(await attempt(person, "right"), "in");
    assert.ok(checks.slice(100).every(({ reserved, exists }) => reserved && exists));
    assert.ok(checks.slice(0, 100).every(({ reserved }) => !reserved));
  });
  test("only its password distinguishes an account that exists from one that does not", async () => {
    const { attempt, spend, checks, waits } = office(PEOPLE);
    await spend();
    for (const account of ["person 1", "made up"]) assert.equal(await attempt(account, "x"), REFUSED);
    assert.equal(waits.length, 2);
    assert.equal(checks.length, 101, "the password of the one that exists was looked at");
    const other = { caller: "198.51.100.1" };
    for (const account of ["person 1", "made up"]) {
      for (let n = 0; n < 10; n++) assert.equal(await attempt(account, "x", other), "wrong");
      assert.match(await attempt(account, "x", other), /登录失败次数过多/);
    }
  });
  test("the first wrong password loses the reserved place for ten minutes", async () => {
    const { attempt, spend, checks, clock } = office(PEOPLE);
    await spend();
    for (let n = 0; n < 3; n++) assert.equal(await attempt("person 1", `${n}`), REFUSED);
    assert.equal(await attempt("person 1", "right"), REFUSED);
    assert.equal(checks.length, 101);
    assert.equal(await attempt("person 1", "right", { caller: "198.51.100.1" }), "in");
    assert.equal(await attempt("person 1", "right"), "in", "it has since shown itself");
    assert.equal(await attempt("person 2", "x"), REFUSED);
    clock.at += 10 * MINUTE;
    await spend();
    assert.equal(await attempt("person 2", "right"), "in");
  });
  test("an account with failures from other callers has no reserved place", async () => {
    const { attempt, spend } = office(PEOPLE);
    assert.equal(await attempt("person 1", "x", { caller: "198.51.100.1" }), "wrong");
    await spend();
    assert.equal(await attempt("person 1", "right"), REFUSED);
    assert.equal(await attempt("person 1", "right", { caller: "198.51.100.1" }), "in");
  });
  test("each caller and each lane has its own budget", async () => {
    const { attempt, spend } = office(PEOPLE);
    await spend();
    assert.equal(await attempt("made up", "x", { caller: "198.51.100.1" }), "wrong");
    assert.equal(await attempt("made up", "x", { lane: "console" }), "wrong");
    assert.equal(await attempt("made up", "x"), REFUSED);
  });
  test("under concurrency an account that exists goes first, and every failure is answered a second later", async () => {
    const { attempt, checks, waits } = office(PEOPLE);
    const all = ["made up 1", "made up 2", "person 1", "person 2"].map((account) =>
      attempt(account, account === "person 2" ? "right" : "x"),
    );
    assert.deepEqual(await Promise.all(all), ["wrong", "wrong", "wrong", "in"]);
    assert.deepEqual(
      checks.map(({ reserved, exists }) => [reserved, exists]),
      [
        [false, false],
        [false, false],
        [true, true],
        [true, true],
      ],
    );
    assert.deepEqual(waits, [1_000, 1_000], "the first of them was alone");
    assert.equal(await attempt("person 1", "x"), "wrong");
    assert.deepEqual([checks.at(-1)?.reserved, waits.length], [false, 2], "alone it is checked as all are");
  });
  test("16 attempts run at a time; another one is checked in a reserved place, or refused", async () => {
    const { attempt, checks } = office(PEOPLE);
    const crowd = Array.from({ length: 16 }, (_, n) => attempt(`made up ${n}`, "x", { caller: `caller ${n}` }));
    const [stranger, person] = [attempt("made up", "x"), attempt("person 1", "right")];
    assert.deepEqual([await stranger, await person], ["登录请求过多,请稍后再试 1", "in"]);
    assert.deepEqual(new Set(await Promise.all(crowd)), new Set(["wrong"]));
    assert.deepEqual(
      checks.filter(({ reserved }) => reserved).map(({ caller, exists }) => [caller, exists]),
      [["203.0.113.9", true]],
    );
    assert.equal(await attempt("made up", "x"), "wrong");
  });
  test("very many callers share one global budget", async () => {
    const { attempt, checks, clock } = office(PEOPLE);
    const from = (n: number) => attempt(`made up ${n}`, "x", { caller: `caller ${n}` });
    const outcomes = [];
    for (let n = 0; n < 300; n++) outcomes.push(await from(n));
    assert.equal(outcomes.filter((outcome) => outcome === "wrong").length, 200);
    assert.equal(outcomes.at(-1), "登录请求过多,请稍后再试 1");
    assert.equal(checks.length, 200);
    assert.equal(await attempt("person 1", "right", { caller: "caller 301" }), "in");
    clock.at += 200;
    assert.deepEqual([await from(301), await from(302)], ["wrong", "登录请求过多,请稍后再试 1"]);
  });
  test("attempts on a blocked account are paid for too, and are slowed down in the end", async () => {
    const { attempt, waits } = office(PEOPLE);
    for (let n = 0; n < 10; n++) assert.equal(await attempt("person 1", "x"), "wrong");
    for (let n = 0; n < 90; n++) assert.match(await attempt("person 1", "x"), /登录失败次数过多/);
    assert.equal(waits.length, 0);
    assert.match(await attempt("person 1", "x"), /登录失败次数过多,请稍后再试 600/);
    assert.equal(waits.length, 1);
  });
});
