import assert from "node:assert/strict";
import { test } from "node:test";
import { openConnections } from "../load/connection.ts";
import { newSender } from "../load/signed-requests.ts";
import { startUploadFloor } from "./upload-floor.ts";
import { uploadsOf } from "./uploads.ts";

test("the floor takes uploads signed with its key and refuses all others", async () => {
  const sender = newSender();
  const floor = await startUploadFloor(null, sender.appSecret);
  try {
    const [connection] = await openConnections(floor.port, 1);
    const uploads = uploadsOf(sender, 2, 100_000);
    for (let index = 0; index < uploads.count; index++) {
      assert.equal(await connection?.exchange(uploads.at(index)), null);
    }
    const forged = uploadsOf(newSender(), 1, 100_000).at(0);
    assert.match(String(await connection?.exchange(forged)), /^HTTP\/1.1 401 /);
    connection?.close();
  } finally {
    await floor.stop();
  }
});
