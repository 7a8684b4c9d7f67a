import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type DemoService, printedJson, startDemoService } from "./demo-service.ts";

const CARD = {
  schema: "2.0",
  header: { title: { content: "Build 1234 failed" } },
  body: { elements: [{ tag: "markdown", content: "**main** broke" }] },
};
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);
const TO_GROUP = ["send", "--to", "group:g_demo"];

describe("against the service", () => {
  let service: DemoService;
  before(async () => {
    service = await startDemoService();
  });
  after(() => service[Symbol.asyncDispose]());

  async function lastLine() {
    return (await service.readGroup()).at(-1);
  }

  test("a card is sent from a file and from standard input, and read by its title", async () => {
    await service.write("card.json", JSON.stringify(CARD));
    const sent = await service.portico([...TO_GROUP, "--mention", "alice", "--card", "card.json"]);
    assert.match(sent.stdout, /^messageId \d+ {2}msgSeq \d+\n$/);
    assert.equal(await lastLine(), "Demo bot: [card] Build 1234 failed");
    const { header: _, ...untitled } = CARD;
    printedJson(await service.portico([...TO_GROUP, "--json", "--card", "-"], JSON.stringify(untitled)));
    assert.equal(await lastLine(), "Demo bot: [card]");
  });

  test("a card that breaks rules is not sent, and all findings are shown", async () => {
    const linesBefore = await service.readGroup();
    const elements = [{ tag: "markdwon" }, { tag: "button", url: "example.com" }];
    await service.write("bad.json", JSON.stringify({ schema: "2.0", body: { elements } }));
    const { code, stdout, stderr } = await service.portico([...TO_GROUP, "--card", "bad.json"]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(
      stderr,
      /^portico send: the card would be refused\nbad\.json: \/body\/elements\/0\/tag: .*\nbad\.json: \/body\/elements\/1\/url: .*\n$/,
    );
    assert.deepEqual(await service.readGroup(), linesBefore);
  });

  test("a card file that is not JSON is refused with the position of the error", async () => {
    const { code, stderr } = await service.portico([...TO_GROUP, "--card", "-"], "{\n\"schema\": '2.0'}");
    assert.equal(code, 2);
    assert.match(stderr, /standard input:2:11: not JSON: "'" is unexpected/);
  });

  test("a template that the app does not have is refused by the service", async () => {
    const { code, stderr } = await service.portico([...TO_GROUP, "--template", "tpl_absent"]);
    assert.equal(code, 1);
    assert.match(stderr, /^refused: 400006 卡片模板不存在/);
  });

  test("a picture and a file are uploaded and sent", async () => {
    await service.write("pixel.png", PIXEL);
    await service.write("本 月.txt", "report");
    printedJson(await service.portico([...TO_GROUP, "--json", "--image", "pixel.png"]));
    assert.equal(await lastLine(), "Demo bot: [image] pixel.png");
    printedJson(await service.portico([...TO_GROUP, "--json", "--file", "本 月.txt"]));
    assert.equal(await lastLine(), "Demo bot: [file] 本 月.txt");
  });

  test("an image whose size cannot be read needs --size", async () => {
    await service.write("drawing.svg", "<svg/>");
    const lacking = await service.portico([...TO_GROUP, "--image", "drawing.svg"]);
    assert.equal(lacking.code, 2);
    assert.match(lacking.stderr, /drawing\.svg does not tell its size .* --size WxH/);
    printedJson(await service.portico([...TO_GROUP, "--json", "--image", "drawing.svg", "--size", "640x480"]));
    assert.equal(await lastLine(), "Demo bot: [image] drawing.svg");
  });

  test("a number that sending would change is refused with its position", async () => {
    await service.write("ids.json", '{"title": "Notes",\n "id": 9007199254740993}');
    const { code, stderr } = await service.portico([...TO_GROUP, "--post", "ids.json"]);
    assert.notEqual(code, 0);
    assert.match(stderr, /ids\.json:2:8: 9007199254740993 would be sent as 9007199254740992/);
  });
  test("a post is sent if it is an object", async () => {
    await service.write("post.json", '{"title": "Notes"}');
    printedJson(await service.portico([...TO_GROUP, "--json", "--post", "post.json"]));
    assert.equal(await lastLine(), "Demo bot: [post]");
    const refused = await service.portico([...TO_GROUP, "--post", "-"], "[]");
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /standard input is not a JSON object/);
  });

  test("a reply to a message that was not delivered to the bot is refused", async () => {
    const { code, stderr } = await service.portico([...TO_GROUP, "--reply-to", "999999999", "hello"]);
    assert.equal(code, 1);
    assert.match(stderr, /^refused: 400008 消息未投递给此应用/);
  });

  test("an upload shows the fileKey, the stored metadata, and until when it can be sent", async () => {
    await service.write("data.bin", Buffer.alloc(1000));
    const { code, stdout } = await service.portico(["upload", "data.bin", "--name", "a.txt", "--type", "text/csv"]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^fileKey {2}file_\S+\nname {5}a\.txt\nsize {5}1000 bytes\ntype {5}text\/csv\nuntil {4}\d{4}-\d\d-\d\dT[\d:.]+Z\n$/,
    );
    const value = printedJson(await service.portico(["upload", "data.bin", "--json"]));
    assert.deepEqual([value.fileName, value.size, value.mimeType], ["data.bin", 1000, "application/octet-stream"]);
  });

  test("a file over 20 MiB is refused before anything is sent", async () => {
    await service.write("large", Buffer.alloc(20 * 1024 * 1024 + 1));
    const { code, stderr } = await service.portico(["upload", "large"]);
    assert.equal(code, 2);
    assert.match(stderr, /large: a file may have 20971520 bytes at most/);
  });

  test("a card is updated, is refused for an older version, and is recalled once", async () => {
    await service.write("card.json", JSON.stringify(CARD));
    const sent = printedJson(await service.portico([...TO_GROUP, "--json", "--card", "card.json"]));
    const id = String(sent.messageId);
    await service.write("done.json", JSON.stringify({ ...CARD, header: { title: { content: "Build 1235 is done" } } }));
    const updated = printedJson(await service.portico(["card", "update", id, "done.json", "--version", "1", "--json"]));
    assert.ok(updated.msgSeq > sent.msgSeq);
    assert.equal(await lastLine(), "Demo bot: [card] Build 1235 is done");

    const late = await service.portico(["card", "update", id, "card.json", "--version", "1"]);
    assert.equal(late.code, 1);
    assert.match(
      late.stderr,
      /^refused: 500000 .*\nThe service failed, or the card has another version .*\nWith --version, the card most likely has another version by now\./,
    );

    const recall = ["card", "recall", id];
    assert.equal((await service.portico(recall)).stdout, "recalled\n");
    assert.equal((await service.portico(recall)).stdout, "had been recalled before\n");
    assert.equal(printedJson(await service.portico([...recall, "--json"])), false);
    assert.equal(await lastLine(), "Demo bot: [recalled]");
  });

  test("only a card of the bot's own can be updated or recalled", async () => {
    const text = printedJson(await service.portico([...TO_GROUP, "--json", "hello"]));
    for (const [id, message] of [
      [text.messageId, /^refused: 400006 卡片消息不存在/],
      [
        999_999_999,
        /^refused: 400008 消息未投递给此应用 .*\n.*\nAn application updates and recalls the cards that it sent itself/,
      ],
    ] as const) {
      for (const args of [
        ["recall", `${id}`],
        ["update", `${id}`, "-"],
      ]) {
        const { code, stderr } = await service.portico(["card", ...args], JSON.stringify(CARD));
        assert.equal(code, 1);
        assert.match(stderr, message);
      }
    }
  });
});
