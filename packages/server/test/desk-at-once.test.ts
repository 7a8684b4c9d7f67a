import assert from "node:assert/strict";
import { acme } from "./support/acme.ts";
import { beAt, CustomerClient } from "./support/customer-acme.ts";
import { DeskClient } from "./support/desk.ts";
import { onBothEngines } from "./support/engines.ts";
import type { Answer } from "./support/http.ts";
import { serviceApp, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_at_once";
const VISITORS = 12;
const ROUNDS = 6;

onBothEngines("everybody at a desk at once", (engine, test) => {
  const world = suiteWorld(engine, acme(serviceApp(APP, { owner: undefined, agents: ["alice", "bob"] })));

  test("no call fails for a reason that is not the caller's, and no message is lost or doubled", async () => {
    const urls = [world().url, engine.name === "postgres" ? (await world().start()).url : world().url];
    const agents = [await DeskClient.signIn(world(), "u_alice"), await DeskClient.signIn(world(), "u_bob", urls[1])];
    for (const userId of ["u_alice", "u_bob"]) await beAt(world(), APP, userId, { max: VISITORS });
    const app = new CustomerClient(world, APP);
    const visitors = await Promise.all(
      Array.from({ length: VISITORS }, (_, n) => WidgetClient.open(world(), APP, `c-${n}`)),
    );
    const failed: string[] = [];
    const note = async (what: string, answering: Promise<Answer>): Promise<Answer> => {
      const answer = await answering;
      if (answer.status >= 500) failed.push(`${what}: ${answer.status} ${answer.text}`);
      return answer;
    };
    for (let round = 0; round < ROUNDS; round++) {
      world().clock.turn(1_000);
      await Promise.all(
        visitors.map(async (visitor, n) => {
          const body = { content: `${n}.${round}`, clientMessageId: `${n}-${round}` };
          const [{ json }] = await Promise.all([
            note("message", visitor.post("messages", body)),
            note("its repetition", visitor.post("messages", body)),
          ]);
          const path = `apps/${APP}/sessions/${json.value?.sessionId}`;
          const [first, second] = n % 2 === 0 ? agents : [...agents].reverse();
          assert.ok(first && second);
          await Promise.all([
            note("accept", first.call("POST", `${path}/accept`)),
            note("reply", first.call("POST", `${path}/messages`, { content: `to ${n}.${round}` })),
            note("reply", second.call("POST", `${path}/messages`, { content: `also to ${n}.${round}` })),
            note("transfer", second.call("POST", `${path}/transfer`, { agentId: n % 2 === 0 ? "alice" : "bob" })),
            note("another message", visitor.post("messages", { content: `${n}.${round} more` })),
            note("a look", visitor.call("session")),
            ...(round % 3 === 2 ? [note("close", first.call("POST", `${path}/close`, {}))] : []),
          ]);
        }),
      );
    }
    assert.deepEqual(failed, []);
    for (const [n, visitor] of visitors.entries()) {
      const { records, total } = await app.value(
        app.get("message/list", { visitorId: visitor.visitorId, pageSize: 100 }),
      );
      assert.deepEqual(
        records.map(({ seq }: { seq: number }) => seq),
        Array.from({ length: total }, (_, index) => index + 1),
      );
      const own = records.filter(({ senderType }: { senderType: string }) => senderType === "VISITOR");
      const texts = own.map(({ content }: { content: string }) => content).sort();
      const expected = Array.from({ length: ROUNDS }, (_, round) => [`${n}.${round}`, `${n}.${round} more`]).flat();
      assert.deepEqual(texts, expected.sort());
    }
  });
});
