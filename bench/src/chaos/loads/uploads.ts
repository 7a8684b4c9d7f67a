import { createHash, randomBytes } from "node:crypto";
import { BOT, GROUP_IDS } from "../world.ts";
import type { Load } from "./load.ts";

const BYTES: [number, number] = [1, 200_000];

/** Files that are uploaded and sent; members must be able to download the same bytes. */
export const UPLOADS: Load = {
  name: "upload",
  callers: 1,
  async work(caller) {
    const { ledger } = caller.parts;
    const bytes = randomBytes(caller.random.between(...BYTES));
    const groupId = caller.random.pick(GROUP_IDS);
    const name = caller.unique();
    // A try begins with a new upload, because a clock that jumps ahead ends the life of keys. Repeats of a send that was
    // accepted unheard get its message, which has the same bytes.
    const { messageId, msgSeq } = await caller.persist(async () => {
      const { bot } = caller.client(BOT);
      const { fileKey } = await bot.uploadFile(bytes, { fileName: `${name}.bin` });
      return await bot.sendMessage({
        receiveIdType: "group_id",
        receiveId: groupId,
        msgType: "file",
        content: { fileKey },
        clientMessageId: name,
      });
    });
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    ledger.acknowledge(`group:${groupId}`, { messageId, seq: msgSeq }, { sha256 });
  },
};
