import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { replaceCard } from "../src/domain/conversations/card-message-store.ts";
import { doomFiles } from "../src/domain/files/doom-files.ts";
import { messagesOf } from "../src/domain/persons/messages-of.ts";
import type { Db } from "../src/platform/storage/schema.ts";
import { acme, botApp } from "./support/acme.ts";
import { cardOf, HELLO, sendCard, sentId } from "./support/card-acme.ts";
import { onBothEngines } from "./support/engines.ts";
import { uploadKey } from "./support/uploads.ts";
import { suiteWorld } from "./support/world.ts";

/** More than PostgreSQL binds to one statement, and twice what SQLite does. */
const MANY = 70_000;

onBothEngines("rows that an erasure changes", (engine, test) => {
  const world = suiteWorld(engine, acme(botApp("app_bot")));
  const storage = () => world().portico.ctx.storage;

  test("of any number of what looks like a file's key, the owner's files are doomed", async () => {
    const fileKey = await uploadKey(world(), "app_bot");
    const file = await storage()
      .db.selectFrom("files")
      .select(["blob_key as blobKey", "owner_type as type", "owner_id as id"])
      .where("file_key", "=", fileKey)
      .executeTakeFirstOrThrow();
    const others = Array.from({ length: MANY }, () => randomBytes(24).toString("hex"));
    const doomed = await storage().write((tx) => doomFiles(tx, file, [...others, file.blobKey]));
    assert.equal(doomed, 1);
    const row = await storage()
      .db.selectFrom("files")
      .select("state")
      .where("file_key", "=", fileKey)
      .executeTakeFirst();
    assert.equal(row?.state, "DOOMED");
  });

  test("a card that was emptied after its bot had read it stays empty", async () => {
    const emptied = { content: '{"text":""}', msg_type: "text" as const, card_version: null, recalled_at: 1 };
    const content = JSON.stringify({ card: cardOf(HELLO) });
    const sent = async () => await sentId(sendCard(world(), "app_bot", cardOf(HELLO)));
    const [messageId, another, kept] = [await sent(), await sent(), await sent()];
    await storage().write(async (tx) => {
      await tx.updateTable("messages").set(emptied).where("message_id", "in", [messageId, another]).execute();
    });
    assert.equal(await storage().write((tx) => replaceCard(tx, messageId, content, null)), false);
    const replace = (id: number) => storage().writeInStep((tx: Db) => replaceCard(tx, id, content, null), {});
    assert.deepEqual(await Promise.all([messageId, another, kept].map(replace)), [false, false, true]);
    const rows = await storage()
      .db.selectFrom("messages")
      .select(["content", "msg_type", "card_version", "recalled_at"])
      .where("message_id", "in", [messageId, another])
      .execute();
    assert.deepEqual(rows, [emptied, emptied]);
  });

  test("direct conversations are found under any collation of the database", async () => {
    const key = sql.lit("direct:app_bot:u_alice");
    // This collation has ";" before ":".
    const inOrder = engine.name === "postgres" ? sql`${key} collate "und-x-icu"` : key;
    const { rows } = await sql`
      select 1 from (select ${inOrder} as conversation_key, 'BOT' as sender_type, 'app_bot' as sender_id) as messages
      where ${messagesOf("u_alice")}
    `.execute(storage().db);
    assert.equal(rows.length, 1);
  });
});
