import assert from "node:assert/strict";
import { alice, bob, botApp } from "./support/acme.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { cardOf, HELLO, recallCard, sendCard, sentId, updateCard } from "./support/card-acme.ts";
import { ConsoleClient } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

const TEAM = "group:g_team";
const PATHS = [`conversations/${TEAM}/messages`, `conversations/${TEAM}/changes`, "conversations?pageSize=2"];
const carol = { tenantId: "t_acme", username: "carol", password: "carol's password" };

onBothEngines("what members have been shown is shown again only while it is true", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme(botApp("app_bot")));
  /** The URL of another process, if there can be one. */
  let other: Promise<string> | null = null;
  const otherUrl = () => (other ??= engine.name === "postgres" ? startOther() : Promise.resolve(world().url));
  const startOther = async () => (await world().start()).url;
  const inAcme = async () => (await ConsoleClient.logIn(world(), operator)).in("t_acme");
  const say = async (member: MemberClient, text: string) =>
    await member.api.postMessage({ params: { conversationId: TEAM }, body: { msgType: "text", content: { text } } });

  /** What a member is shown of the team, three times: read, and twice from what was read. */
  async function shown(member: MemberClient) {
    const values = [];
    for (const path of PATHS) {
      const answers = [];
      for (let time = 0; time < 3; time++) answers.push((await member.get(path)).json.value);
      for (const again of answers.slice(1)) assert.deepEqual(again, answers[0], path);
      values.push(answers[0].items);
    }
    const [history, changes, conversations] = values;
    const team = conversations.find((one: { conversationId: string }) => one.conversationId === TEAM);
    assert.deepEqual(changes.at(-1)?.message, history.find(idOf(changes.at(-1)?.message)));
    assert.deepEqual(team.lastMessage, history.at(-1) ?? null);
    assert.equal(team.lastSeq, changes.at(-1)?.msgSeq ?? 0);
    return { history, team };
  }

  test("a message, an update and a recall are seen in the next answers of every process", async () => {
    const a = await MemberClient.signIn(world(), alice);
    const b = await MemberClient.signIn({ url: await otherUrl() }, bob);
    const texts = async (member: MemberClient) =>
      (await shown(member)).history.map(({ content }: { content: unknown }) => JSON.stringify(content));
    assert.deepEqual(await texts(b), await texts(a));
    for (let n = 0; n < 3; n++) {
      await say(a, `number ${n}`);
      assert.match((await texts(b)).at(-1), new RegExp(`number ${n}`));
      assert.match((await texts(a)).at(-1), new RegExp(`number ${n}`));
    }
    const card = (text: string) => cardOf({ ...HELLO, text });
    const messageId = await sentId(sendCard(world(), "app_bot", card("the first card")));
    assert.match((await texts(b)).at(-1), /the first card/);
    await updateCard(world(), "app_bot", messageId, { card: card("the second card"), version: 1 });
    assert.match((await texts(b)).at(-1), /the second card/);
    await recallCard(world(), "app_bot", messageId);
    assert.equal((await texts(b)).at(-1), "null");
  });

  test("what is unread follows posts and marks at once", async () => {
    const a = await MemberClient.signIn(world(), alice);
    const b = await MemberClient.signIn({ url: await otherUrl() }, bob);
    const { msgSeq } = await say(a, "read so far");
    const mark = (seq: number) => b.post(`conversations/${TEAM}/read`, { seq }, "PUT");
    const unread = async () => (await shown(b)).team.unreadCount;
    await mark(msgSeq);
    assert.equal(await unread(), 0);
    for (const count of [1, 2]) {
      await say(a, `unread ${count}`);
      assert.equal(await unread(), count);
    }
    await say(b, "an answer of one's own is not unread");
    assert.equal(await unread(), 2);
    await mark(msgSeq + 1);
    assert.equal(await unread(), 1);
  });

  test("who has left a group is refused at once, and who comes sees it at once", async () => {
    const client = await inAcme();
    const members = (usernames: string[]) => client.ok("PUT", "operator/groups/g_team/members", { members: usernames });
    const [b, c] = await Promise.all(
      [bob, carol].map(async (one) => MemberClient.signIn({ url: await otherUrl() }, one)),
    );
    assert.ok(b && c);
    await shown(b);
    for (const path of PATHS.slice(0, 2)) assertRefused(await c.get(path), 403, "400008");
    await members(["alice", "carol"]);
    for (const path of PATHS.slice(0, 2)) assertRefused(await b.get(path), 403, "400008");
    assert.deepEqual((await b.get("conversations")).json.value.items, []);
    await shown(c);
    await members(["alice", "bob"]);
    for (const path of PATHS.slice(0, 2)) assertRefused(await c.get(path), 403, "400008");
    await shown(b);
  });

  test("a member's new name is seen at once in the process that changed it, and elsewhere within a second", async () => {
    const client = await inAcme();
    const [here, there] = [
      await MemberClient.signIn(world(), alice),
      await MemberClient.signIn({ url: await otherUrl() }, alice),
    ];
    await say(await MemberClient.signIn(world(), bob), "by any name");
    const nameFor = async (member: MemberClient) => (await shown(member)).history.at(-1).sender.name;
    for (const name of ["Robert", "Bob"]) {
      await nameFor(here);
      await nameFor(there);
      await client.ok("PATCH", "operator/members/u_bob", { name });
      assert.equal(await nameFor(here), name);
      world().clock.turn(800);
      assert.equal(await nameFor(there), name);
    }
  });
});

function idOf(message: { messageId: number } | undefined) {
  return ({ messageId }: { messageId: number }) => messageId === message?.messageId;
}
