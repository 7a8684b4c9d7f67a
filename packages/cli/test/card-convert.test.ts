import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorkspace } from "./portico.ts";

const FEISHU = {
  config: { wide_screen_mode: true },
  elements: [
    { tag: "div", text: { tag: "lark_md", content: "**CPU** 97%" } },
    { tag: "checker", name: "c", text: { tag: "plain_text", content: "Done" } },
    { tag: "button", behaviors: [{ type: "open_url", default_url: "https://example.com/" }] },
    { tag: "img", img_key: "img_v2_x" },
    { tag: "audio", file_key: "f" },
  ],
};
const CONVERTED = [
  { tag: "markdown", content: "**CPU** 97%" },
  { tag: "checkbox", name: "c", label: "Done" },
  { tag: "button", url: "https://example.com/" },
  { tag: "img", img_key: "img_v2_x" },
];

test("a card of Feishu is converted, and what was changed and what remains to be done is told", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("feishu.json", JSON.stringify({ msg_type: "interactive", card: FEISHU }));
  const { code, stdout, stderr } = await workspace.portico(["card", "convert", "feishu.json"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout).body.elements, CONVERTED);
  assert.deepEqual(stderr.split("\n"), [
    'took the card out of "card"',
    "moved its elements into schema 2.0",
    "div became markdown",
    "checker became checkbox",
    "behaviors stands in url here",
    "to do: pictures with keys of Feishu, 1: `portico upload FILE` gives a fileKey, or give an address",
    "left audio out: there is nothing like it here",
    "",
  ]);
  const written = await workspace.portico(["card", "convert", "-", "--out", "card.json"], JSON.stringify(FEISHU));
  assert.deepEqual([written.code, written.stdout], [0, ""]);
  assert.deepEqual(JSON.parse(await workspace.read("card.json")).body.elements, CONVERTED);
  assert.equal((await workspace.portico(["card", "check", "card.json"])).code, 0);
  const both = await workspace.portico(
    ["card", "convert", "-", "--out", "both.json", "--json"],
    JSON.stringify(FEISHU),
  );
  assert.deepEqual([both.code, both.stderr], [0, ""]);
  const { card, changes } = JSON.parse(both.stdout);
  assert.deepEqual([card, changes.length > 0], [JSON.parse(await workspace.read("both.json")), true]);
});

test("a card that needs nothing stays as it is, and what is no card is refused", async () => {
  await using workspace = await createWorkspace();
  const card = { schema: "2.0", body: { elements: [{ tag: "hr" }] } };
  const same = await workspace.portico(["card", "convert", "-"], JSON.stringify(card));
  assert.deepEqual([same.code, JSON.parse(same.stdout), same.stderr], [0, card, "nothing to convert\n"]);
  const none = await workspace.portico(["card", "convert", "-"], '{"text": "hi"}');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /standard input holds no card/);
});

test("a card that would be refused all the same is told of, with 1", async () => {
  await using workspace = await createWorkspace();
  const many = { elements: Array.from({ length: 201 }, () => ({ tag: "hr" })) };
  const { code, stdout } = await workspace.portico(["card", "convert", "-", "--json"], JSON.stringify(many));
  assert.equal(code, 1);
  const { card, changes, findings } = JSON.parse(stdout);
  assert.deepEqual([card.body.elements.length, changes.length], [201, 1]);
  assert.equal(findings[0].message, "卡片组件不能超过200个");
});
