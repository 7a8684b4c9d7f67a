import assert from "node:assert/strict";
import { test } from "node:test";
import { openConnections } from "../load/connection.ts";
import { newSender, sendSigner } from "../load/signed-requests.ts";
import { startFloor } from "./floor.ts";

test("the floor acknowledges calls signed with its key and refuses all others", async () => {
  const sender = newSender();
  const floor = await startFloor(null, sender.appSecret);
  try {
    const [connection] = await openConnections(floor.port, 1);
    assert.equal(await connection?.exchange(sendSigner(sender, "text").sign(1, true).at(0)), null);
    const forged = sendSigner(newSender(), "text").sign(1, true).at(0);
    assert.match(String(await connection?.exchange(forged)), /^HTTP\/1.1 401 /);
    connection?.close();
  } finally {
    await floor.stop();
  }
});
