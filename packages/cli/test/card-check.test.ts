import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorkspace } from "./portico.ts";

const GOOD = { schema: "2.0", body: { elements: [{ tag: "hr" }] } };
const BAD = { schema: "2.0", body: { elements: [{ tag: "markdwon" }, { tag: "button", url: "example.com" }] } };

test("a card that keeps the rules is ok", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("good.json", JSON.stringify(GOOD));
  assert.deepEqual(await workspace.portico(["card", "check", "good.json"]), {
    code: 0,
    stdout: "good.json: ok\n",
    stderr: "",
  });
});

test("all findings of all files are shown, each with its position and a suggestion, and the exit code is 1", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("good.json", JSON.stringify(GOOD));
  await workspace.write("bad.json", JSON.stringify(BAD));
  await workspace.write("list.json", "[]");
  await workspace.write("broken.json", '{\n  "schema": "2.0",\n}\n');
  const args = ["card", "check", "good.json", "bad.json", "list.json", "broken.json"];
  const { code, stdout, stderr } = await workspace.portico(args);
  assert.equal(code, 1);
  assert.deepEqual(stdout.split("\n"), [
    "good.json: ok",
    'bad.json: /body/elements/0/tag: 不支持的卡片组件: markdwon — Did you mean "markdown"?',
    "bad.json: /body/elements/1/url: 卡片链接仅支持HTTP/HTTPS地址 — Write the whole address, beginning with https://.",
    'list.json: (the whole card): 仅支持schema为2.0的卡片 — A card is a JSON object: {"schema": "2.0", "body": {"elements": [...]}}.',
    'broken.json:3:1: not JSON: "}" is unexpected',
    "",
  ]);
  assert.equal(stderr, "portico card check: 3 of 4 would be refused\n");
});

test("--json prints the findings as JSON", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("good.json", JSON.stringify(GOOD));
  await workspace.write("bad.json", JSON.stringify({ ...BAD, body: { elements: [{ tag: "markdwon" }] } }));
  await workspace.write("broken.json", "{");
  const { code, stdout } = await workspace.portico(["card", "check", "--json", "good.json", "bad.json", "broken.json"]);
  assert.equal(code, 1);
  const finding = {
    pointer: "/body/elements/0/tag",
    rule: "component-tag",
    message: "不支持的卡片组件: markdwon",
    suggestion: 'Did you mean "markdown"?',
  };
  assert.deepEqual(JSON.parse(stdout), [
    { file: "good.json", notJson: null, findings: [] },
    { file: "bad.json", notJson: null, findings: [finding] },
    { file: "broken.json", notJson: { line: 1, column: 2, message: "the text ends too early" }, findings: [] },
  ]);
});

test("a card is checked from standard input", async () => {
  await using workspace = await createWorkspace();
  const good = await workspace.portico(["card", "check", "-"], JSON.stringify(GOOD));
  assert.deepEqual([good.code, good.stdout], [0, "standard input: ok\n"]);
  const bad = await workspace.portico(["card", "check", "-"], JSON.stringify(BAD));
  assert.equal(bad.code, 1);
  assert.match(bad.stdout, /^standard input: \/body\/elements\/0\/tag: /);
});

test("a card larger than any request is refused for its size, and a deeply nested one is checked", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("large.json", JSON.stringify({ ...GOOD, header: "x".repeat(300_000) }));
  await workspace.write(
    "deep.json",
    JSON.stringify({ ...GOOD, header: 0 }).replace("0}", `${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
  );
  const { stdout } = await workspace.portico(["card", "check", "large.json", "deep.json"]);
  assert.match(stdout, /^large\.json: \(the whole card\): 卡片JSON不能超过64KiB — .*\ndeep\.json: ok\n$/);
});

test("control characters in a card cannot control the terminal", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("bad.json", JSON.stringify({ schema: "2.0", body: { elements: [{ tag: "\u001b[2J" }] } }));
  const { stdout } = await workspace.portico(["card", "check", "bad.json"]);
  assert.match(stdout, /\\u001b\[2J/);
});
