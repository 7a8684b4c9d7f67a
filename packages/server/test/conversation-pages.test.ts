import assert from "node:assert/strict";
import { LIMITS } from "@portico/protocol";
import type { Conversation } from "@portico/protocol/schemas";
import type { ProvisioningFile } from "../src/domain/provisioning/schema.ts";
import { acme, alice, botApp } from "./support/acme.ts";
import { assertRefused } from "./support/assert-answer.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { suiteWorld } from "./support/world.ts";

/** Names that sort in another order than the ids, some of them equal. */
const NAMES = ["b", "a", "组", "a", "É", "", "c"].map((name) => `Group ${name}`);
/** Together with the others, more than a client accepts in one answer (4 MiB). */
const LONG_ONES = 21;
const LONG_TEXT = "长".repeat(70_000);

function world(): ProvisioningFile {
  const names = [...NAMES, ...Array.from({ length: LONG_ONES }, (_, n) => `Long ${n}`)];
  const groups = names.map((name, n) => ({ id: `g_${n}`, tenant: "t_acme", name, members: ["alice"] }));
  const bots = ["app_z", "app_y", "app_x"].map((appId) =>
    botApp(appId, { installations: [{ targetType: "USER", targetId: "u_alice" }] }),
  );
  const file = acme(...bots);
  return { ...file, groups: [...(file.groups ?? []), ...groups] };
}

onBothEngines("pages of a member's conversations", (engine, test) => {
  const running = suiteWorld(engine, world());

  async function pagesOf(member: MemberClient, pageSize?: number): Promise<Conversation[][]> {
    const pages: Conversation[][] = [];
    let cursor: string | null | undefined;
    do {
      const query = { pageSize, ...(typeof cursor === "string" && { cursor }) };
      const page = await member.api.listConversations({ query });
      pages.push(page.items);
      cursor = page.nextCursor;
    } while (typeof cursor === "string");
    return pages;
  }

  test("together they are the list, in its order, whatever their size", async () => {
    const member = await MemberClient.signIn(running(), alice);
    const { value } = (await member.get("conversations")).json;
    const all = value.items;
    assert.ok(all.length > NAMES.length + LONG_ONES);
    assert.equal("nextCursor" in value, false);
    for (const pageSize of [1, 2, all.length - 1, all.length, LIMITS.conversationsPageSize]) {
      const pages = await pagesOf(member, pageSize);
      assert.deepEqual(pages.flat(), all);
      assert.equal(pages.length, Math.ceil(all.length / pageSize));
    }
  });

  test("a list too long for one answer comes in pages of at most 1 MiB of messages", async () => {
    const member = await MemberClient.signIn(running(), alice);
    for (let n = NAMES.length; n < NAMES.length + LONG_ONES; n++) {
      const params = { conversationId: `group:g_${n}` };
      await member.api.postMessage({ params, body: { msgType: "text", content: { text: LONG_TEXT } } });
    }
    await assert.rejects(member.api.listConversations());
    const pages = await pagesOf(member, LIMITS.conversationsPageSize);
    const texts = pages.map((items) => items.flatMap(({ lastMessage }) => lastMessage?.content ?? []));
    assert.equal(texts.flat().length, LONG_ONES);
    for (const some of texts) assert.ok(Buffer.byteLength(JSON.stringify(some)) < 1.1 * 1024 * 1024);
    const { items } = (await member.get("conversations")).json.value;
    assert.deepEqual(pages.flat(), items);
  });

  test("only a nextCursor is a cursor, and a page has at most 200", async () => {
    const member = await MemberClient.signIn(running(), alice);
    const { nextCursor } = await member.api.listConversations({ query: { pageSize: 1 } });
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const wrong = ["x", `${nextCursor}=`, encoded(null), encoded(["bot", "a", "b"]), encoded(["group", 1, "b"])];
    for (const cursor of [...wrong, encoded(["group", "a", "b", "c"]), encoded(["group", "\0", "b"])]) {
      assertRefused(await member.get(`conversations?cursor=${encodeURIComponent(cursor)}`), 400, "400006");
    }
    for (const pageSize of [0, LIMITS.conversationsPageSize + 1]) {
      assertRefused(await member.get(`conversations?pageSize=${pageSize}`), 400, "400006");
    }
  });

  test("a place that is gone is still a place", async () => {
    const member = await MemberClient.signIn(running(), alice);
    const [[first] = [], ...others] = await pagesOf(member, 1);
    assert.ok(first);
    const { nextCursor } = await member.api.listConversations({ query: { pageSize: 1 } });
    const { storage } = running().portico.ctx;
    const groupId = first.conversationId.slice("group:".length);
    await storage.write((tx) => tx.deleteFrom("group_members").where("group_id", "=", groupId).execute());
    const rest = await member.api.listConversations({ query: { pageSize: 100, cursor: nextCursor ?? "" } });
    assert.equal(rest.items[0]?.conversationId, others[0]?.[0]?.conversationId);
  });
});
