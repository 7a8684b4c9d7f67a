import assert from "node:assert/strict";
import { alice, bob } from "./support/acme.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { CLIENT, logIn as memberLogIn } from "./support/client-acme.ts";
import {
  type Account,
  assertConsoleRefused,
  ConsoleClient,
  consoleCall,
  fellow,
  logIn,
  owner,
  refreshTokenOf,
} from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { developerIdOf } from "./support/operator.ts";
import { messengerOf, pollQr, qrToken, withMessengers } from "./support/qr-sign-in.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld } from "./support/world.ts";

const NEW = "four words of no sense";

onBothEngines("one's own password and logins", (engine, test) => {
  const world = suiteWorld(engine, withMessengers(operatedAcme(), fellow));
  const secondUrl = async () => (engine.name === "postgres" ? (await world().start()).url : world().url);
  const meWith = async (accessToken: string, url = world().url) =>
    (await consoleCall({ url }, "GET", "me", { headers: { authorization: `Bearer ${accessToken}` } })).status;
  const refresh = async (answer: Answer, url = world().url) =>
    (
      await consoleCall({ url }, "POST", "auth/refresh", {
        headers: { cookie: `open_refresh_token=${refreshTokenOf(answer)}` },
      })
    ).status;
  const enter = async (account: Account) => {
    const answer = await logIn(world(), account);
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const call = (answer: Answer, method: string, path: string, body?: unknown) =>
    consoleCall(world(), method, path, {
      headers: { authorization: `Bearer ${answer.json.accessToken}` },
      ...(body !== undefined && { body }),
    });

  for (const [newPassword, message] of [
    ["seven c", "newPassword长度不能少于8"],
    ["password", "密码过于常见,请换一个"],
    ["PassWord123!", "密码过于常见,请换一个"],
    ["87654321", "密码过于常见,请换一个"],
    ["abababab", "密码过于常见,请换一个"],
    [owner.phone, "密码不能是本人的姓名、账号或手机号"],
    ["Owner13800000000", "密码不能是本人的姓名、账号或手机号"],
  ] as const) {
    test(`a new password ${newPassword} is refused`, async () => {
      const client = await ConsoleClient.logIn(world(), owner);
      const body = { currentPassword: owner.password, newPassword };
      assertConsoleRefused(await client.call("PUT", "me/password", body), 400, message);
    });
  }
  test("operators cannot give one that breaks the rules either, nor import one", async () => {
    const client = (await ConsoleClient.logIn(world(), operator)).in("t_acme");
    const developer = { phone: "13600000001", channelId: 1, name: "Newcomer", password: "newcomer1" };
    const personal = await client.call("POST", "operator/developers", developer);
    assertConsoleRefused(personal, 400, "密码不能是本人的姓名、账号或手机号");
    const member = { username: "newcomer", password: "iloveyou" };
    assertConsoleRefused(await client.call("POST", "operator/members", member), 400, "密码过于常见,请换一个");
    const changed = await client.call("PATCH", "operator/members/u_alice", { password: "alice-1" });
    assertConsoleRefused(changed, 400);
    const members = [
      { line: 2, ...member },
      { line: 3, username: "good", password: NEW },
    ];
    const { items } = await client.ok("POST", "operator/members/import", { members, dryRun: true });
    assert.deepEqual(
      items.map(({ outcome, problem }: { outcome: string; problem: string | null }) => [outcome, problem]),
      [
        ["INVALID", "password"],
        ["READY", null],
      ],
    );
  });

  test("a developer's own password takes the old one, ends all other logins in every process, and keeps this one", async () => {
    const url = await secondUrl();
    const [own, other] = [await enter(fellow), await enter(fellow)];
    const change = (currentPassword: string, newPassword = NEW) =>
      call(own, "PUT", "me/password", { currentPassword, newPassword });
    assertConsoleRefused(await change("wrong"), 403, "当前密码错误");
    assert.equal((await change(fellow.password)).status, 204);
    for (const each of [world().url, url]) {
      assert.equal(await meWith(other.json.accessToken, each), 401);
      assert.equal(await meWith(own.json.accessToken, each), 200);
      assert.equal(await refresh(other, each), 401);
    }
    assert.equal(await refresh(own), 200);
    assertConsoleRefused(await logIn(world(), fellow), 401, "手机号或密码错误");
    const renewed = await enter({ ...fellow, password: NEW });
    const client = await ConsoleClient.logIn(world(), operator);
    const { items } = await client.ok("GET", "operator/audit?action=developer.change-password&limit=1");
    assert.deepEqual([items[0].actor.name, items[0].before, items[0].after], ["Fellow", null, { password: "changed" }]);
    assert.equal(
      (await call(renewed, "PUT", "me/password", { currentPassword: NEW, newPassword: fellow.password })).status,
      204,
    );
    assert.equal(await meWith(own.json.accessToken), 401);
  });
  test("of parallel changes of one password one wins, and wrong ones are counted as sign-ins are", async () => {
    const logins = await Promise.all([1, 2, 3].map(() => enter(fellow)));
    const answers = await Promise.all(
      logins.map((own, n) =>
        call(own, "PUT", "me/password", { currentPassword: fellow.password, newPassword: `${NEW} ${n}` }),
      ),
    );
    const winner = answers.findIndex(({ status }) => status === 204);
    assert.ok(winner >= 0);
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    const own = await enter({ ...fellow, password: `${NEW} ${winner}` });
    const wrong = () => call(own, "PUT", "me/password", { currentPassword: "wrong", newPassword: NEW });
    let refused = await wrong();
    for (let tries = 1; refused.status === 403; tries++) {
      assert.ok(tries <= 10, "ten failures are the most");
      refused = await wrong();
    }
    assertConsoleRefused(refused, 429, "登录失败次数过多,请稍后再试");
    world().clock.turn(11 * 60_000);
    const back = { currentPassword: `${NEW} ${winner}`, newPassword: fellow.password };
    assert.equal((await call(own, "PUT", "me/password", back)).status, 204);
  });
  test("signing out everywhere ends all of a developer's logins, this one too, and nobody else's", async () => {
    const url = await secondUrl();
    const [own, other, foreign] = [await enter(fellow), await enter(fellow), await enter(owner)];
    const answer = await call(own, "DELETE", "sessions");
    assert.equal(answer.status, 204, answer.text);
    assert.match(String(answer.headers["set-cookie"]), /open_refresh_token=; Max-Age=0/);
    for (const each of [world().url, url]) {
      for (const ended of [own, other]) assert.equal(await meWith(ended.json.accessToken, each), 401);
      assert.equal(await meWith(foreign.json.accessToken, each), 200);
    }
    assert.equal(await refresh(other), 401);
  });
  test("a scanned or confirmed QR code does not outlive the logins of the developer, nor those of the member", async () => {
    const client = await ConsoleClient.logIn(world(), operator);
    const developerId = await developerIdOf(client, fellow.phone);
    const change = (path: string, body: unknown) => client.ok("PATCH", `operator/${path}`, body);
    const inAcme = { "x-open-tenant-id": "t_acme" };
    const messenger = messengerOf(fellow);
    const memberId = `u_${messenger.username}`;
    const patchMember = async (body: unknown) => {
      const headers = { authorization: `Bearer ${(await enter(operator)).json.accessToken}`, ...inAcme };
      const answer = await consoleCall(world(), "PATCH", `operator/members/${memberId}`, { headers, body });
      assert.equal(answer.status, 200, answer.text);
    };
    const renewed = async (login: Answer, account: { password: string }) => {
      const back = { currentPassword: NEW, newPassword: account.password };
      const there = { currentPassword: account.password, newPassword: NEW };
      for (const body of [there, back]) assert.equal((await call(login, "PUT", "me/password", body)).status, 204);
    };
    const ways: Record<string, (member: MemberClient) => Promise<unknown>> = {
      "the developer signs out everywhere": async () => call(await enter(fellow), "DELETE", "sessions"),
      "the developer changes the password": async () => renewed(await enter(fellow), fellow),
      "an operator gives the developer a password": () =>
        change(`developers/${developerId}`, { password: fellow.password }),
      "an operator disables the developer": async () => {
        await change(`developers/${developerId}`, { disabled: true });
        await change(`developers/${developerId}`, { disabled: false });
      },
      "the member signs out everywhere": (member) => member.delete("sessions", {}),
      "the member changes the password": async (member) => {
        for (const [currentPassword, newPassword] of [
          [messenger.password, NEW],
          [NEW, messenger.password],
        ]) {
          assertSuccess(await clientCall(member.token, "PUT", "me/password", { currentPassword, newPassword }));
        }
      },
      "an operator gives the member a password": () => patchMember({ password: messenger.password }),
      "an operator disables the member": async () => {
        await patchMember({ disabled: true });
        await patchMember({ disabled: false });
      },
    };
    for (const [way, end] of Object.entries(ways)) {
      const member = await MemberClient.signIn(world(), messenger);
      const tokens = [await qrToken(world(), member, "scanned"), await qrToken(world(), member, "confirmed")];
      await end(member);
      for (const token of tokens) assert.equal((await pollQr(world(), token)).json.status, "expired", way);
      const later = await MemberClient.signIn(world(), messenger);
      assert.equal((await later.post("qr/confirm", { qrToken: tokens[0] })).status, 403, way);
      const begun = await pollQr(world(), await qrToken(world(), later));
      assert.equal(begun.json.developerId, developerId, way);
    }
  });

  const clientCall = (accessToken: string, method: string, path: string, body?: unknown) =>
    send(`${world().url}${CLIENT}/${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const listed = async (accessToken: string, url: string) =>
    (await send(`${url}${CLIENT}/conversations`, { headers: { authorization: `Bearer ${accessToken}` } })).status;

  test("a member's own password ends the other logins and their streams in every process, and keeps this one", async () => {
    const url = await secondUrl();
    const [own, other] = [await MemberClient.signIn(world(), alice), await MemberClient.signIn({ url }, alice)];
    const [kept, closed] = [await StreamClient.open(world().url, own.token), await StreamClient.open(url, other.token)];
    const change = (currentPassword: string, newPassword: string) =>
      clientCall(own.token, "PUT", "me/password", { currentPassword, newPassword });
    assertRefused(await change("wrong", NEW), 403, "400008", "当前密码错误");
    assertRefused(await change(alice.password, "alice-12"), 400, "400006", "密码不能是本人的姓名、账号或手机号");
    assertSuccess(await change(alice.password, NEW));
    assert.deepEqual(await closed.closed, { code: 4401, reason: "signed out" });
    for (const each of [world().url, url]) {
      assert.equal(await listed(own.token, each), 200);
      assert.equal(await listed(other.token, each), 401);
    }
    kept.send({ type: "resume", afterSeq: {} });
    assert.equal(kept.socket.readyState, kept.socket.OPEN);
    assert.equal((await memberLogIn(world(), alice)).status, 401);
    assertSuccess(await change(NEW, alice.password));
    await kept.close();
  });
  test("signing out everywhere ends all of a member's tokens and streams in every process", async () => {
    const url = await secondUrl();
    const [own, other] = [await MemberClient.signIn(world(), bob), await MemberClient.signIn({ url }, bob)];
    const streams = [await StreamClient.open(world().url, own.token), await StreamClient.open(url, other.token)];
    assertSuccess(await clientCall(own.token, "DELETE", "sessions"));
    for (const stream of streams) assert.equal((await stream.closed).code, 4401);
    for (const each of [world().url, url]) {
      for (const { token } of [own, other]) assert.equal(await listed(token, each), 401);
    }
  });
});
