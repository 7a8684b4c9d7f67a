import assert from "node:assert/strict";
import { after, afterEach, beforeEach, describe, it, mock } from "node:test";
import type { Session as SessionOf } from "./session.ts";

/** Channels of this process: what one tab posts, the others get. */
class Channel {
  static readonly open = new Set<Channel>();
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor() {
    Channel.open.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of Channel.open) if (other !== this) other.onmessage?.({ data: structuredClone(data) });
  }
}

interface PersonLogin {
  accessToken: string;
  expiresAt: number;
  name: string;
}

const loginOf = (name: string): PersonLogin => ({ accessToken: `token of ${name}`, expiresAt: 9e15, name });

/** Holds one lock, as the browser does for all tabs of a site. */
let last: Promise<unknown> = Promise.resolve();
const locks = {
  request<T>(_name: string, run: () => Promise<T>): Promise<T> {
    const mine = last.then(run);
    last = mine.catch(() => {});
    return mine;
  },
};

describe("a session", () => {
  /** Whose login the browser's cookie is. */
  let cookie: string | null;
  let held: Promise<unknown>;
  let Session: typeof SessionOf;

  const replaced = ["BroadcastChannel", "navigator"] as const;
  const originals = replaced.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  after(() => {
    for (const [index, name] of replaced.entries()) {
      const original = originals[index];
      if (original === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, original);
    }
  });
  afterEach(() => mock.timers.reset());
  beforeEach(async () => {
    // Renewals are weeks away.
    mock.timers.enable({ apis: ["setTimeout"] });
    Channel.open.clear();
    Object.defineProperty(globalThis, "BroadcastChannel", { value: Channel, configurable: true });
    Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
    ({ Session } = await import("./session.ts"));
    cookie = null;
    held = Promise.resolve();
  });

  function openTab(): SessionOf<PersonLogin> {
    return new Session<PersonLogin>("test", {
      async renew() {
        const name = cookie;
        await held;
        return name === null ? null : loginOf(name);
      },
      async logout() {
        await held;
        cookie = null;
      },
      personOf: ({ name }) => name,
    });
  }

  function signIn(tab: SessionOf<PersonLogin>, name: string): void {
    cookie = name;
    tab.start(loginOf(name));
  }

  it("another person's sign-in in another tab is noticed at once", async () => {
    const [one, other] = [openTab(), openTab()];
    signIn(one, "Alice");
    await one.renew();
    signIn(other, "Bob");
    assert.equal(one.state.status, "restoring", "nothing of Alice's is shown any more");
    assert.equal(one.token(), undefined);
    await one.renew();
    assert.equal(one.person, "Bob");
  });

  it("the same person's sign-in in another tab disturbs nobody", async () => {
    const [one, other] = [openTab(), openTab()];
    signIn(one, "Alice");
    const before = one.state;
    signIn(other, "Alice");
    assert.equal(one.state, before);
  });

  it("a sign-out is noticed in the other tabs", async () => {
    const [one, other] = [openTab(), openTab()];
    signIn(one, "Alice");
    await other.restore();
    await one.end();
    assert.deepEqual([one.state.status, other.state.status], ["signed-out", "signed-out"]);
  });

  it("what a person was doing waits for them where the login was ended elsewhere, and for nobody else", async () => {
    const [one, other] = [openTab(), openTab()];
    const left = () =>
      one.state.status === "signed-in" ? undefined : one.state.left && [one.state.left.login.name, one.state.left.by];
    signIn(one, "Alice");
    await other.restore();
    await other.end();
    assert.deepEqual(left(), ["Alice", "tab"]);
    signIn(other, "Alice");
    assert.deepEqual(left(), ["Alice", "tab"], "until it is known that she is back");
    await one.renew();
    assert.equal(one.person, "Alice");
    cookie = null;
    await one.renew();
    assert.deepEqual(left(), ["Alice", "service"]);
    signIn(one, "Bob");
    await one.end();
    assert.equal(left(), null);
  });

  it("a page that finds a login tells the tabs that wait for one", async () => {
    const [one, other] = [openTab(), openTab()];
    signIn(one, "Alice");
    cookie = null;
    await one.renew();
    assert.equal(one.state.status, "signed-out");
    cookie = "Alice";
    await other.restore();
    await one.renew();
    assert.equal(one.person, "Alice");
  });

  it("a renewal that answers after the sign-out signs nobody in again", async () => {
    const tab = openTab();
    signIn(tab, "Alice");
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const renewal = tab.renew();
    const end = tab.end();
    resolve();
    await Promise.all([renewal, end]);
    assert.equal(tab.state.status, "signed-out");
    const [one, other] = [openTab(), openTab()];
    signIn(one, "Alice");
    const answer = Promise.withResolvers<void>();
    held = answer.promise;
    const late = one.renew();
    await new Promise((done) => setImmediate(done));
    signIn(other, "Bob");
    answer.resolve();
    await late;
    await one.renew();
    assert.equal(one.person, "Bob");
  });

  it("a sign-out that cannot be made leaves the login as it was", async () => {
    const tab = openTab();
    signIn(tab, "Alice");
    held = Promise.reject(new Error("no network"));
    await assert.rejects(tab.end(), /no network/);
    assert.equal(tab.person, "Alice");
  });
});
