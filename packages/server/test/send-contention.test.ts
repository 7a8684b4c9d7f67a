import assert from "node:assert/strict";
import { acme, botApp } from "./support/acme.ts";
import { cardOf, HELLO, sendCard, sentId, updateCard } from "./support/card-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { uploadKey } from "./support/uploads.ts";
import { suiteWorld } from "./support/world.ts";

const ROUNDS = 5;
const CALLS = 60;
const TO_ALICE = { receiveIdType: "user_id", receiveId: "u_alice" };
const image = (key: string) => ({ tag: "img", img_key: key });

onBothEngines("sends and updates that want the same files in any order", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const upload = () => Promise.all(Array.from({ length: 6 }, () => uploadKey(world(), "app_bot")));
  /** The nth ordered pair of the six files. */
  const two = (keys: string[], n: number) => [keys[n % 6] ?? "", keys[(n * 5 + 1 + Math.floor(n / 6)) % 6] ?? ""];

  test("sends to two conversations wait for each other, and none is refused", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const keys = await upload();
      const send = (n: number) =>
        sendCard(world(), "app_bot", cardOf(...two(keys, n).map(image)), n % 2 === 0 ? {} : TO_ALICE);
      for (const answer of await Promise.all(Array.from({ length: CALLS }, (_, n) => send(n)))) {
        assert.equal(answer.status, 200, answer.text);
      }
    }
  });

  test("updates of ten cards of one conversation wait for each other, and none is refused", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 10; n++) ids.push(await sentId(sendCard(world(), "app_bot", cardOf(HELLO))));
    for (let round = 0; round < ROUNDS; round++) {
      const keys = await upload();
      const update = (n: number) =>
        updateCard(world(), "app_bot", ids[n % 10] ?? 0, { card: cardOf(...two(keys, n).map(image)) });
      for (const answer of await Promise.all(Array.from({ length: CALLS }, (_, n) => update(n)))) {
        assert.equal(answer.status, 200, answer.text);
      }
    }
  });
});
