import assert from "node:assert/strict";
import { acme, alice, bob, botApp, call, MESSAGES, sendText } from "./support/acme.ts";
import { carol } from "./support/client-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { type ChangeFrame, StreamClient } from "./support/stream-client.ts";
import { suiteWorld } from "./support/world.ts";

const TEAM = "group:g_team";
const seqsOf = (frames: ChangeFrame[]) => frames.map(({ msgSeq }) => msgSeq);

onBothEngines("the live stream", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot"), botApp("app_two", { installations: [] })));

  const signIn = (account = alice) => MemberClient.signIn(world(), account);
  const open = async (account = alice) => StreamClient.open(world().url, (await signIn(account)).token);
  const say = async (text: string) => {
    const answer = await sendText(world(), "app_bot", text);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.value as { messageId: number; msgSeq: number };
  };

  test("a sent message arrives with conversation, msgSeq and content", async () => {
    const stream = await open();
    const { messageId, msgSeq } = await say("hello");
    const [frame] = await stream.take(1);
    assert.deepEqual([frame.type, frame.conversationId, frame.msgSeq], ["message.created", TEAM, msgSeq]);
    const history = await (await signIn()).history(TEAM);
    assert.deepEqual(frame.message, history.at(-1));
    assert.equal(frame.message.messageId, messageId);
    await stream.close();
  });

  test("a sent, updated and recalled card arrives in order of msgSeq, without content once recalled", async () => {
    const stream = await open(bob);
    const card = (title: string) => ({ schema: "2.0", body: { elements: [{ tag: "text", content: title }] } });
    const body = { receiveIdType: "group_id", receiveId: "g_team", msgType: "card", content: { card: card("one") } };
    const sent = await call(world(), "app_bot", { method: "POST", target: MESSAGES, body: JSON.stringify(body) });
    const { messageId } = sent.json.value;
    const target = `${MESSAGES}/${messageId}/card`;
    await call(world(), "app_bot", { method: "PUT", target, body: JSON.stringify({ card: card("two") }) });
    await stream.take(2);
    const recalled = await call(world(), "app_bot", { method: "DELETE", target });
    assert.equal(recalled.json.value, true);
    await call(world(), "app_bot", { method: "PUT", target, body: JSON.stringify({ card: card("three") }) });
    const frames: ChangeFrame[] = await stream.take(4);
    assert.deepEqual(
      frames.map(({ type }) => type),
      ["message.created", "card.updated", "message.recalled", "card.updated"],
    );
    const [first = Number.NaN] = seqsOf(frames);
    assert.deepEqual(seqsOf(frames), [first, first + 1, first + 2, first + 3]);
    const [, updated, gone, still] = frames.map(({ message }) => message);
    assert.deepEqual(updated?.content, { card: card("two") });
    assert.equal(updated?.cardVersion, 2);
    for (const message of [gone, still]) assert.deepEqual([message?.recalled, message?.content], [true, null]);
    await stream.close();
  });

  test("members outside the conversation get nothing", async () => {
    const [outsider, insider] = [await open(carol), await open()];
    await say("for the team");
    const toAlice = { receiveIdType: "user_id", receiveId: "u_alice", msgType: "text", content: { text: "for you" } };
    await call(world(), "app_bot", { method: "POST", target: MESSAGES, body: JSON.stringify(toAlice) });
    const stranger = await open(bob);
    await insider.take(2);
    // A change that carol may see follows one that she may not see: a leaked one would have arrived first.
    await (await signIn(carol)).post("conversations/group:g_other/messages", {
      msgType: "text",
      content: { text: "x" },
    });
    const [frame] = await outsider.take(1);
    assert.equal(frame.conversationId, "group:g_other");
    await (await signIn(bob)).post(`conversations/${TEAM}/messages`, { msgType: "text", content: { text: "y" } });
    const [own] = await stranger.take(1);
    assert.equal(own.conversationId, TEAM);
    assert.equal(own.message.content.text, "y");
    for (const stream of [outsider, insider, stranger]) await stream.close();
  });

  test("resume sends missed changes in order, then continues without gaps or repeats", async () => {
    const { msgSeq } = await say("before");
    for (let n = 0; n < 120; n++) await say(`missed ${n}`);
    const stream = await open();
    stream.send({ type: "resume", afterSeq: { [TEAM]: msgSeq } });
    const sends: Promise<unknown>[] = [];
    for (let n = 0; n < 40; n++) sends.push(say(`live ${n}`));
    await Promise.all(sends);
    const frames: ChangeFrame[] = await stream.take(160);
    const { msgSeq: marker } = await say("the end");
    await stream.find((frame) => frame.msgSeq === marker);
    // Changes made before the resume is read may arrive before those that it asks for; each conversation is caught up
    // once.
    const from = frames.findIndex((frame) => frame.msgSeq === msgSeq + 1);
    const resumed = seqsOf(frames.slice(from));
    assert.deepEqual(
      resumed,
      Array.from({ length: marker - msgSeq }, (_, n) => msgSeq + 1 + n),
    );
    await stream.close();
  });

  test("resume of a foreign conversation is refused, and the others continue", async () => {
    const { msgSeq } = await say("seen");
    const stream = await open();
    await say("missed");
    await stream.take(1);
    stream.send({ type: "resume", afterSeq: { "group:g_other": 0, "group:none": 0, nonsense: 0, [TEAM]: msgSeq } });
    const { message, ...refused } = await stream.find(({ type }) => type === "error");
    assert.deepEqual(refused, {
      type: "error",
      conversationId: "group:g_other",
      conversationIds: ["group:g_other", "group:none", "nonsense"],
      code: "400008",
    });
    assert.equal(message, "会话不存在或无权访问");
    stream.send({ type: "resume", afterSeq: { "group:none": 0 } });
    const another = await stream.find((frame) => frame.type === "error" && frame.conversationId === "group:none");
    assert.deepEqual(another.conversationIds, ["group:none"]);
    const { msgSeq: next } = await say("live");
    await stream.find((frame) => frame.msgSeq === next);
    await stream.close();
  });

  test("a position in the future counts as the current one", async () => {
    const stream = await open();
    stream.send({ type: "resume", afterSeq: { [TEAM]: Number.MAX_SAFE_INTEGER } });
    // What is current is decided before the next frame is read, which says so.
    stream.send({ type: "resume", afterSeq: { "group:none": 0 } });
    await stream.find(({ type }) => type === "error");
    const { msgSeq } = await say("after all");
    await stream.find((frame) => frame.msgSeq === msgSeq);
    await stream.close();
  });

  test("messages of a newly installed bot arrive at once", async () => {
    const stream = await open();
    const member = await signIn();
    const place = { appId: "app_two", targetType: "USER", targetId: "u_alice" };
    assert.equal((await member.post("installations", place)).status, 200);
    await member.post("conversations/bot:app_two/messages", { msgType: "text", content: { text: "hi bot" } });
    const frame = await stream.find(({ conversationId }) => conversationId === "bot:app_two");
    assert.equal(frame.message.content.text, "hi bot");
    await stream.close();
  });

  test("a browser signs in with its first frame", async () => {
    const { token } = await signIn();
    const stream = await StreamClient.open(world().url, null);
    stream.send({ type: "auth", accessToken: token });
    assert.deepEqual(await stream.take(1), [{ type: "ready" }]);
    const { msgSeq } = await say("to a browser");
    const [, frame] = await stream.take(2);
    assert.equal(frame.msgSeq, msgSeq);
    await stream.close();
  });

  test("a first frame without a valid token closes the stream with 4401", async () => {
    const { token } = await signIn();
    for (const frame of [
      { type: "auth", accessToken: "x" },
      { type: "auth" },
      { type: "resume", afterSeq: {} },
      { type: "auth", accessToken: 5 },
      "not json",
      `"${token}"`,
    ]) {
      const stream = await StreamClient.open(world().url, null);
      stream.send(frame);
      assert.equal((await stream.closed).code, 4401);
    }
  });

  test("a wrong token in the header is answered with 401 before there is a stream", async () => {
    await assert.rejects(StreamClient.open(world().url, "wrong"), /401/);
  });

  test("an invalid frame closes the stream with 1008, a frame that is too long with 1009", async () => {
    for (const frame of [
      "",
      "{",
      "[]",
      "null",
      '{"type":"resume"}',
      '{"type":"resume","afterSeq":[]}',
      '{"type":"x"}',
    ]) {
      const stream = await open();
      stream.send(frame);
      assert.equal((await stream.closed).code, 1008, frame);
    }
    for (const place of [-1, 1.5, "5", null, {}, 1e300]) {
      const stream = await open();
      stream.send({ type: "resume", afterSeq: { [TEAM]: place } });
      assert.equal((await stream.closed).code, 1008);
    }
    const stream = await open();
    stream.send("x".repeat(70_000));
    assert.equal((await stream.closed).code, 1009);
  });

  test("without an upgrade it is a clear 400", async () => {
    const answer = await send(`${world().url}/api/client/v1/stream`);
    assert.deepEqual([answer.status, answer.json.code], [400, "400006"]);
  });

  test("an Upgrade header on any other request is ignored", async () => {
    const headers = { connection: "upgrade", upgrade: "h2c" };
    const answer = await sendText(world(), "app_bot", "upgrade me", { headers });
    assert.equal(answer.status, 200, answer.text);
    const elsewhere = await send(`${world().url}/api/client/v1/nowhere`, {
      headers: { connection: "upgrade", upgrade: "websocket" },
    });
    assert.equal(elsewhere.status, 404);
  });

  test("a member has at most 20 streams at once", async () => {
    const { token } = await signIn(carol);
    const streams = await Promise.all(Array.from({ length: 20 }, () => StreamClient.open(world().url, token)));
    await assert.rejects(StreamClient.open(world().url, token), /429/);
    const [first, ...others] = streams;
    await first?.close();
    // The service sees the close a moment later than the client.
    let again: StreamClient | null = null;
    while (again === null) again = await StreamClient.open(world().url, token).catch(() => null);
    for (const stream of [again, ...others]) await stream.close();
  });
});
