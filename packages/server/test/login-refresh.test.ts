import assert from "node:assert/strict";
import { STREAM_CLOSES } from "@portico/protocol";
import { MEMBER_LOGINS } from "../src/domain/accounts/member-login-store.ts";
import { bob } from "./support/acme.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { CLIENT, logIn as logMemberIn } from "./support/client-acme.ts";
import { CONSOLE, ConsoleClient, fellow, logIn as logDeveloperIn, ownedApp } from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { type Engine, onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld, type World } from "./support/world.ts";

const SECOND = 1_000;
const DAY = 86_400_000;

/** One kind of login: how it begins, and where its calls are. */
interface Kind {
  base: string;
  /** A call that needs a login. */
  ownPath: string;
  cookie: string;
  logIn(world: World): Promise<Answer>;
  valueOf(answer: Answer): { accessToken: string };
}

const KINDS: Record<string, Kind> = {
  developers: {
    base: CONSOLE,
    ownPath: "me",
    cookie: "open_refresh_token",
    logIn: (world) => logDeveloperIn(world, fellow),
    valueOf: ({ json }) => json,
  },
  members: {
    base: CLIENT,
    ownPath: "conversations",
    cookie: "portico_member_refresh",
    logIn: (world) => logMemberIn(world, bob),
    valueOf: ({ json }) => json.value,
  },
};

/** A browser of one kind of account: what it keeps, and its calls. */
class Browser {
  readonly #kind: Kind;
  readonly #world: World;

  constructor(kind: Kind, world: World) {
    this.#kind = kind;
    this.#world = world;
  }

  async enter(): Promise<{ access: string; refresh: string }> {
    return this.given(await this.#kind.logIn(this.#world));
  }

  /** What a login or a refresh that succeeds gives. */
  given(answer: Answer): { access: string; refresh: string } {
    assert.equal(answer.status, 200, answer.text);
    const [cookie = "", ...others] = answer.headers["set-cookie"] ?? [];
    assert.deepEqual(others, []);
    const [, refresh] =
      new RegExp(`^${this.#kind.cookie}=([\\w-]{64}); Max-Age=2592000; HttpOnly; `).exec(cookie) ?? [];
    return { access: this.#kind.valueOf(answer).accessToken, refresh: refresh ?? "" };
  }

  refresh(token: string, url = this.#world.url): Promise<Answer> {
    return this.#post("auth/refresh", token, url);
  }

  logOut(token: string, url = this.#world.url): Promise<Answer> {
    return this.#post("auth/logout", token, url);
  }

  /** Whether an access token is good. */
  async isIn(access: string, url = this.#world.url): Promise<boolean> {
    const headers = { authorization: `Bearer ${access}` };
    const { status } = await send(`${url}${this.#kind.base}/${this.#kind.ownPath}`, { headers });
    assert.ok(status === 200 || status === 401, `${status}`);
    return status === 200;
  }

  #post(path: string, token: string, url: string): Promise<Answer> {
    const headers = { cookie: `theme=dark; ${this.#kind.cookie}=${token}` };
    return send(`${url}${this.#kind.base}/${path}`, { method: "POST", headers });
  }
}

/** The URL of another process, if there can be one. */
async function secondUrl(engine: Engine, world: World): Promise<string> {
  return engine.name === "postgres" ? (await world.start()).url : world.url;
}

for (const [name, kind] of Object.entries(KINDS)) {
  onBothEngines(`the logins of ${name}`, (engine, test) => {
    const world = suiteWorld(engine, operatedAcme(ownedApp("app_bot")));
    const browser = () => new Browser(kind, world());

    test("each refresh gives an access token and another cookie; the tokens before stay good", async () => {
      const [first, accesses] = [await browser().enter(), [] as string[]];
      const cookies = new Set([first.refresh]);
      let token = first.refresh;
      for (let n = 0; n < 5; n++) {
        const { access, refresh } = browser().given(await browser().refresh(token));
        accesses.push(access);
        cookies.add(refresh);
        token = refresh;
      }
      assert.equal(cookies.size, 6);
      for (const access of [first.access, ...accesses]) assert.ok(await browser().isIn(access));
    });
    test("a token answers for 10 s after its rotation, with the cookie that is good by now", async () => {
      const { refresh: old } = await browser().enter();
      const next = browser().given(await browser().refresh(old));
      world().clock.turn(10 * SECOND - 1);
      const again = browser().given(await browser().refresh(old));
      assert.equal(again.refresh, next.refresh);
      assert.notEqual(again.access, next.access);
      for (const { access } of [next, again]) assert.ok(await browser().isIn(access));
    });
    test("two refreshes old and still within 10 s, it answers with the newest cookie", async () => {
      const { refresh: old } = await browser().enter();
      const second = browser().given(await browser().refresh(old));
      const third = browser().given(await browser().refresh(second.refresh));
      assert.equal(browser().given(await browser().refresh(old)).refresh, third.refresh);
    });
    test("its reuse after 10 s ends the whole login, and no other", async () => {
      const [login, other] = [await browser().enter(), await browser().enter()];
      const renewed = browser().given(await browser().refresh(login.refresh));
      const again = browser().given(await browser().refresh(login.refresh));
      world().clock.turn(10 * SECOND);
      assert.equal((await browser().refresh(login.refresh)).status, 401);
      for (const { access } of [login, renewed, again]) assert.equal(await browser().isIn(access), false);
      assert.equal((await browser().refresh(renewed.refresh)).status, 401);
      assert.ok(await browser().isIn(other.access));
      browser().given(await browser().refresh(other.refresh));
    });
    test("a token of the right login that never was one ends it, too", async () => {
      const { access, refresh } = await browser().enter();
      assert.equal((await browser().refresh(refresh.slice(0, 24) + "A".repeat(40))).status, 401);
      assert.equal(await browser().isIn(access), false);
    });
    test("of tabs that refresh at once, in any process, none loses the login", async () => {
      const url = await secondUrl(engine, world());
      for (let round = 0; round < 10; round++) {
        const { refresh } = await browser().enter();
        const tabs = [world().url, url, world().url, url].map((each) => browser().refresh(refresh, each));
        const given = (await Promise.all(tabs)).map((answer) => browser().given(answer));
        // The browser keeps whichever comes last.
        assert.equal(new Set(given.map((each) => each.refresh)).size, 1);
        for (const { access } of given) assert.ok(await browser().isIn(access, url));
        world().clock.turn(DAY);
        const [last] = given;
        browser().given(await browser().refresh(last?.refresh ?? "", url));
      }
    });
    test("an answer that comes late brings no cookie that has been rotated for 10 s", async () => {
      const { refresh: old } = await browser().enter();
      const first = browser().given(await browser().refresh(old));
      const late = browser().given(await browser().refresh(old));
      // A tab goes on with the first answer before the second has come.
      browser().given(await browser().refresh(first.refresh));
      world().clock.turn(DAY);
      browser().given(await browser().refresh(late.refresh));
    });
    test("concurrent refreshes and a logout leave no token", async () => {
      const url = await secondUrl(engine, world());
      for (let round = 0; round < 5; round++) {
        const { access, refresh } = await browser().enter();
        const [one, two] = await Promise.all([
          browser().refresh(refresh),
          browser().refresh(refresh, url),
          browser().logOut(refresh, url),
        ]);
        assert.equal(await browser().isIn(access), false);
        for (const answer of [one, two]) {
          if (answer.status !== 200) continue;
          const given = browser().given(answer);
          assert.equal(await browser().isIn(given.access), false);
          assert.equal((await browser().refresh(given.refresh)).status, 401);
        }
      }
    });
    test("logout ends the login at once in every process, and removes the cookie", async () => {
      const url = await secondUrl(engine, world());
      const { access, refresh } = await browser().enter();
      const answer = await browser().logOut(refresh);
      assert.ok(answer.status === 200 || answer.status === 204, answer.text);
      const [cookie = ""] = answer.headers["set-cookie"] ?? [];
      assert.ok(cookie.startsWith(`${kind.cookie}=; Max-Age=0; HttpOnly; Secure; SameSite=Strict; Path=`), cookie);
      for (const each of [world().url, url]) {
        assert.equal(await browser().isIn(access, each), false);
        assert.equal((await browser().refresh(refresh, each)).status, 401);
      }
      assert.equal((await browser().logOut(refresh)).status, answer.status);
    });
    test("a cookie is good for 30 days, and each refresh gives 30 more", async () => {
      let { refresh } = await browser().enter();
      for (let n = 0; n < 2; n++) {
        world().clock.turn(30 * DAY - 1);
        refresh = browser().given(await browser().refresh(refresh)).refresh;
      }
      world().clock.turn(30 * DAY);
      assert.equal((await browser().refresh(refresh)).status, 401);
    });
    test("no cookie, two cookies and what is none are refused, and use none up", async () => {
      const [mine, planted] = [await browser().enter(), await browser().enter()];
      for (const token of [
        "",
        "garbage",
        "A".repeat(64),
        "%00",
        `${planted.refresh}; ${kind.cookie}=${mine.refresh}`,
      ]) {
        assert.equal((await browser().refresh(token)).status, 401);
      }
      for (const { refresh } of [mine, planted]) browser().given(await browser().refresh(refresh));
    });
    test("a page of another site can neither begin, renew nor end a login", async () => {
      const { access, refresh } = await browser().enter();
      for (const path of ["auth/login", "auth/refresh", "auth/logout"]) {
        for (const site of ["cross-site", "same-site"]) {
          const headers = { "sec-fetch-site": site, cookie: `${kind.cookie}=${refresh}` };
          const answer = await send(`${world().url}${kind.base}/${path}`, { method: "POST", headers });
          assert.equal(answer.status, 403, answer.text);
          assert.equal(answer.headers["set-cookie"], undefined);
        }
      }
      assert.ok(await browser().isIn(access));
    });
    test("the database contains only hashes of tokens and cookies, the rotated ones included", async () => {
      const { refresh: old } = await browser().enter();
      const { access, refresh } = browser().given(await browser().refresh(old));
      const dump = JSON.stringify(await dumpTables(world()));
      for (const secret of [access, refresh, refresh.slice(0, 24), refresh.slice(24), old.slice(24)]) {
        assert.ok(!dump.includes(secret));
      }
    });
  });
}

onBothEngines("members' logins", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme(ownedApp("app_bot")));
  const browser = () => new Browser(KINDS.members as Kind, world());

  test("a refresh answers like a login", async () => {
    const { refresh } = await browser().enter();
    const answer = await browser().refresh(refresh);
    assert.deepEqual(Object.keys(answer.json.value), ["accessToken", "expiresAt", "user"]);
    assert.deepEqual(answer.json.value.user, { userId: "u_bob", username: "bob", name: "Bob", tenantId: "t_acme" });
    assert.equal(answer.json.value.expiresAt, world().clock.now() + 7 * DAY);
    const path = /Path=([^;]*)/.exec(String(answer.headers["set-cookie"]))?.[1];
    assert.equal(path, "/api/client/v1/auth");
  });
  test("a new password, or being disabled, ends every login", async () => {
    const client = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    const other = { ...bob, password: "bob's other password" };
    for (const [account, change] of [
      [bob, { password: other.password }],
      [other, { password: bob.password }],
      [bob, { disabled: true }],
    ] as const) {
      const { access, refresh } = browser().given(await logMemberIn(world(), account));
      await client.ok("PATCH", "operator/members/u_bob", change);
      assert.equal(await browser().isIn(access), false);
      assert.equal((await browser().refresh(refresh)).status, 401);
    }
    await client.ok("PATCH", "operator/members/u_bob", { disabled: false });
  });
  test("a stream ends with its login, and the others of the member go on", async () => {
    const [login, other] = [await browser().enter(), await browser().enter()];
    const ending = await StreamClient.open(world().url, login.access);
    const staying = await StreamClient.open(world().url, other.access);
    await browser().logOut(login.refresh);
    assert.equal((await ending.closed).code, STREAM_CLOSES.SIGNED_OUT.code);
    const member = await MemberClient.signIn(world(), bob);
    await member.post("conversations/group:g_team/messages", { msgType: "text", content: { text: "still here" } });
    await staying.find(({ type }) => type === "message.created");
    await staying.close();
  });
  test("a login ended by reuse is in the audit log", async () => {
    const { refresh } = await browser().enter();
    browser().given(await browser().refresh(refresh));
    world().clock.turn(10 * SECOND);
    await browser().refresh(refresh);
    const entries = await world()
      .portico.ctx.storage.db.selectFrom("audit_entries")
      .select(["actor_id", "after"])
      .where("action", "=", "member.sign-out")
      .execute();
    assert.deepEqual(entries, [{ actor_id: "u_bob", after: '{"reason":"reuse"}' }]);
  });
  test("the sweep removes logins after 30 days, and keeps those that can be used", async () => {
    const { storage } = world().portico.ctx;
    const count = async () => (await storage.db.selectFrom("member_logins").select("login_id").execute()).length;
    world().clock.turn(31 * DAY);
    await MEMBER_LOGINS.sweep(storage, world().clock.now());
    assert.equal(await count(), 0);
    const { access } = await browser().enter();
    world().clock.turn(DAY);
    await MEMBER_LOGINS.sweep(storage, world().clock.now());
    assert.equal(await count(), 1);
    assert.ok(await browser().isIn(access));
  });
});
