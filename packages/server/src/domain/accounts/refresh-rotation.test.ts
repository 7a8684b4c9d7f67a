import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { afterRepeat, afterRotation, GRACE_MS, judge, type RefreshState } from "./refresh-rotation.ts";

/** A login's refresh tokens, named by their number. */
class Login {
  state: RefreshState = { refreshHash: "0", generation: 0, rotated: [], sharedUntil: 0 };

  /** What the token is answered with; null when it ends the login. */
  present(token: string, now: number): string | null {
    const presented = judge(this.state, token, now);
    if (presented === "reused") return null;
    const next = String(this.state.generation + 1);
    this.state = presented === "rotate" ? afterRotation(this.state, next, now) : afterRepeat(this.state, now);
    return this.state.refreshHash;
  }
}

/** What happens in a browser: a tab asks, the service gets it, the answer comes or the tab is reloaded; time passes. */
type Step = { kind: "ask" } | { kind: "arrive" | "answer" | "reload"; which: number } | { kind: "wait"; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ kind: "ask" }),
  fc.record({ kind: fc.constantFrom("arrive" as const, "answer" as const, "reload" as const), which: fc.nat() }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 3_000 }) }),
);

/** The time that a call may take from its tab and back; a longer one has been given up. */
const ROUND_TRIP_MS = 3_000;
/** The time in which a tab that has no answer yet is reloaded, as often as one likes; a patient person waits after that. */
const RELOADED_WITHIN_MS = 3_000;

interface Call {
  token: string;
  sentAt: number;
  /** When the tab first asked, before it was reloaded. */
  wantedAt: number;
  /** The token that the answer brings, once the service has got the call. */
  answer: string | null;
}

/** A browser: tabs that share a cookie, and calls that overtake each other. */
class Browser {
  cookie = "0";
  readonly #login = new Login();
  readonly #calls: Call[] = [];
  #now = 1_000_000;

  do(action: Step): void {
    if (action.kind === "ask") this.#ask(this.#now);
    else if (action.kind === "wait") this.#wait(action.ms);
    else {
      const call = this.#calls[action.which % Math.max(1, this.#calls.length)];
      if (call === undefined) return;
      if (action.kind === "arrive") this.#arrive(call);
      if (action.kind === "answer") this.#answer(call);
      if (action.kind === "reload") this.#reload(call);
    }
  }

  /** A tab that is opened much later, when nothing is on its way any longer. */
  comesBack(): void {
    this.#wait(ROUND_TRIP_MS);
    this.#now += 3_600_000;
    this.do({ kind: "ask" });
    this.#wait(ROUND_TRIP_MS);
  }

  /** Whatever is under way for too long arrives first. */
  #wait(ms: number): void {
    const end = this.#now + ms;
    for (const call of [...this.#calls].sort((a, b) => a.sentAt - b.sentAt)) {
      if (call.sentAt + ROUND_TRIP_MS > end) continue;
      this.#now = Math.max(this.#now, call.sentAt + ROUND_TRIP_MS - 1);
      this.#answer(call);
    }
    this.#now = end;
  }

  #ask(wantedAt: number): void {
    this.#calls.push({ token: this.cookie, sentAt: this.#now, wantedAt, answer: null });
  }

  /** The answer is lost, and the tab asks anew. */
  #reload(call: Call): void {
    if (this.#now - call.wantedAt >= RELOADED_WITHIN_MS) return;
    this.#calls.splice(this.#calls.indexOf(call), 1);
    this.#ask(call.wantedAt);
  }

  #arrive(call: Call): void {
    if (call.answer !== null) return;
    call.answer = this.#login.present(call.token, this.#now);
    assert.notEqual(call.answer, null, `${call.token} was taken for stolen at ${this.#now}`);
  }

  #answer(call: Call): void {
    this.#arrive(call);
    this.cookie = call.answer ?? "";
    this.#calls.splice(this.#calls.indexOf(call), 1);
  }
}

describe("the rotation of refresh tokens", () => {
  test("no browser loses its login, whatever its tabs do and in whatever order answers come", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const browser = new Browser();
        for (const each of steps) browser.do(each);
        browser.comesBack();
        browser.comesBack();
      }),
      { numRuns: 5_000 },
    );
  });
  test("a token answers until its grace is over, and never after", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 * GRACE_MS }), (later) => {
        const login = new Login();
        assert.equal(login.present("0", 5_000), "1");
        assert.equal(login.present("0", 5_000 + later), later < GRACE_MS ? "1" : null);
      }),
    );
  });
  test("of two who hold a token, the one who comes second and late is found out, however they meet", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 60_000 })), { maxLength: 30 }), (uses) => {
        const login = new Login();
        const held = { owner: "0", thief: "0" };
        let now = 0;
        const use = (who: "owner" | "thief") => {
          const next = login.present(held[who], now);
          if (next !== null) held[who] = next;
          return next !== null;
        };
        for (const [isThief, ms] of uses) {
          now += ms;
          if (!use(isThief ? "thief" : "owner")) return;
        }
        // Both go on, each by themselves, more seldom than the grace is long.
        const found = Array.from({ length: 4 }).some((_, turn) => {
          now += 3_600_000;
          return !use(turn % 2 === 0 ? "owner" : "thief");
        });
        assert.ok(found);
      }),
    );
  });
  test("what is remembered stays bounded, however often a login is renewed", () => {
    const login = new Login();
    let token = "0";
    for (let n = 0; n < 1_000; n++) {
      token = login.present(token, n) ?? "";
      assert.ok(login.state.rotated.length <= 32);
    }
    assert.equal(login.present(token, 1_000_000), "33");
    assert.equal(login.state.rotated.length, 1);
  });
  test("after the clock was set back, a rotated token answers no longer than its grace, and the current one is rotated", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2 * GRACE_MS, max: 3_600_000 }), fc.boolean(), (back, isShared) => {
        const login = new Login();
        const now = 10_000_000;
        login.present("0", now);
        if (isShared) login.present("0", now + 1);
        assert.equal(login.present("1", now - back), "2");
        assert.equal(login.present("0", now - back), null);
      }),
    );
  });
  test("clocks of processes may differ by less than the grace", () => {
    const login = new Login();
    login.present("0", 100_000);
    assert.equal(login.present("0", 100_000 - GRACE_MS + 1), "1");
    assert.equal(login.present("1", 100_000 - GRACE_MS + 2), "1");
  });
  test("who holds a shared token cannot keep it from being rotated for longer than ten minutes", () => {
    const login = new Login();
    login.present("0", 0);
    login.present("0", 1);
    let now = 1;
    while (login.present("1", now) === "1") now += 5_000;
    assert.ok(now >= 600_000 && now < 610_000, `${now}`);
  });
});
