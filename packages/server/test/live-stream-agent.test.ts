import assert from "node:assert/strict";
import { AGENT_STREAM, type AgentFrame, LiveStream, type StreamSocket } from "@portico/protocol/client";
import { acme } from "./support/acme.ts";
import { CustomerClient, customerApp } from "./support/customer-acme.ts";
import { DeskClient } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import { until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

onBothEngines("the client of an agent's stream", (engine, test) => {
  const world = suiteWorld(engine, acme(customerApp("app_desk"), customerApp("app_status")));

  test("delivers each visitor's messages in order after their place, also after a broken connection", async () => {
    const app = new CustomerClient(world, "app_desk");
    const say = (visitorId: string, content: string) => app.value(app.post("message/send", { visitorId, content }));
    const openSession = async (thirdUserId: string): Promise<string> => {
      const { visitorId } = await app.value(app.post("visitor/auth", { thirdUserId }));
      await app.value(app.post("session/create", { visitorId, agentId: "alice" }));
      return visitorId;
    };
    const [one, other] = [await openSession("stream-one"), await openSession("stream-other")];
    for (const content of ["1", "2", "3"]) await say(one, content);
    await say(other, "1");

    const said = new Map<string, unknown[]>([
      [one, []],
      [other, []],
    ]);
    const onFrame = (frame: AgentFrame) => {
      if (frame.type === "message.created") said.get(frame.message.visitorId)?.push(frame.message.content);
    };
    const sockets: StreamSocket[] = [];
    const connect = (url: string) => {
      const socket = new WebSocket(url) as StreamSocket;
      sockets.push(socket);
      return socket;
    };
    const { token } = await DeskClient.signIn(world(), "u_alice");
    const places = [
      [one, 1],
      [other, 0],
    ] as const;
    const stream = new LiveStream({
      baseUrl: world().url,
      token,
      kind: AGENT_STREAM,
      places,
      onFrame,
      connect,
      random: () => 0,
    });
    const has = (counts: [number, number]) =>
      until(
        () => said.get(one)?.length === counts[0] && said.get(other)?.length === counts[1],
        `${counts} messages of each visitor`,
      );
    await has([2, 1]);
    sockets[0]?.close();
    for (const content of ["4", "5"]) await say(one, content);
    await say(other, "2");
    await has([4, 2]);
    assert.deepEqual(
      [said.get(one), said.get(other)],
      [
        ["2", "3", "4", "5"],
        ["1", "2"],
      ],
    );
    assert.deepEqual(Object.fromEntries(stream.places), { [one]: 5, [other]: 2 });
    assert.equal(sockets.length, 2);
    stream.close();
  });

  test("delivers frames other than messages, which have no place", async () => {
    const alice = await DeskClient.signIn(world(), "u_alice");
    const frames: AgentFrame[] = [];
    const stream = new LiveStream({
      baseUrl: world().url,
      token: alice.token,
      kind: AGENT_STREAM,
      onFrame: (frame: AgentFrame) => frames.push(frame),
    });
    await until(() => stream.state === "live", "the stream is live");
    await alice.choose("app_status", "BUSY");
    const ofStatus = () => frames.find(({ type, appId }) => type === "agent.changed" && appId === "app_status");
    await until(() => ofStatus() !== undefined, "the agent's change");
    assert.deepEqual([...stream.places], []);
    stream.close();
  });
});
