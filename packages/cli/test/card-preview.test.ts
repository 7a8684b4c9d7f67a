import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it, test } from "node:test";
import { inflateSync } from "node:zlib";
import { PREVIEW_LIMITS, readPreviewFragment } from "@portico/protocol/cards/preview-link";
import { startService } from "../../sdk/test/service.ts";
import { BROWSER_PATH, NO_BROWSER } from "../../web/test/support/browser.ts";
import { imageSizeOf } from "../src/image-size.ts";
import { type DemoService, startDemoService } from "./demo-service.ts";
import { createWorkspace, type Workspace } from "./portico.ts";

const CARD = {
  schema: "2.0",
  config: { locales: ["en_us", "zh_cn"] },
  header: { title: { content: "Build 12 failed", i18n: { zh_cn: "构建 12 失败" } }, template: "red" },
  body: {
    elements: [
      { tag: "markdown", content: "**main** broke" },
      // It takes all of the width that a card may have.
      { tag: "table", rows: [["Test"], ["keeps a nonce"]] },
    ],
  },
};
const CARD_WIDTH = 600;
const REFUSED = { ...CARD, body: { elements: [...CARD.body.elements, { tag: "markdwon" }] } };

/** What is said of a picture beside that root's browser has no sandbox, which root is told each time. */
function saidBesideRoot(stderr: string): string {
  if (process.getuid?.() !== 0) return stderr;
  const [notice = "", ...rest] = stderr.split("\n");
  assert.match(notice, /^as root the browser runs without its sandbox/);
  return rest.join("\n");
}

/** Runs `portico` in a process of its own, with a directory of its own for what is temporary. */
async function run(workspace: Workspace, args: string[], variables: Record<string, string> = {}) {
  const { child, temporary } = await begin(workspace, args, variables);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr, left: await readdir(temporary) };
}

async function begin(workspace: Workspace, args: string[], variables: Record<string, string> = {}) {
  const temporary = join(await workspace.write("kept", ""), "../temporary");
  await mkdir(temporary, { recursive: true });
  const child = workspace.start(args, { PORTICO_BROWSER: BROWSER_PATH ?? "", TMPDIR: temporary, ...variables });
  return { child, temporary };
}

test("a link to the preview is printed, with the card and its look behind the #", async () => {
  await using workspace = await createWorkspace();
  const at = ["--base-url", "https://portico.example.com"];
  const look = ["--locale", "zh-CN", "--theme", "dark"];
  const shown = await workspace.portico(["card", "preview", "-", ...at, ...look], JSON.stringify(CARD));
  assert.deepEqual([shown.code, shown.stderr], [0, ""]);
  const { origin, pathname, search, hash } = new URL(shown.stdout.trim());
  assert.deepEqual([origin, pathname, search], ["https://portico.example.com", "/docs/preview", ""]);
  assert.deepEqual(await readPreviewFragment(hash), { fault: null, card: CARD, locale: "zh-CN", theme: "dark" });

  const json = await workspace.portico(["card", "preview", "-", "--json", ...at], JSON.stringify(CARD));
  const { url, ...more } = JSON.parse(json.stdout);
  assert.deepEqual([json.code, more], [0, { findings: [], picture: null }]);
  assert.deepEqual(await readPreviewFragment(new URL(url).hash), {
    fault: null,
    card: CARD,
    locale: undefined,
    theme: undefined,
  });
});

test("what the service would refuse is told with its link, and exits 1; what is no JSON or too large has none", async () => {
  await using workspace = await createWorkspace();
  const refused = await workspace.portico(["card", "preview", "-"], JSON.stringify(REFUSED));
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /^http:\/\/localhost:8080\/docs\/preview#card=[\w-]+\n$/);
  assert.match(refused.stderr, /would be refused\nstandard input: \/body\/elements\/2\/tag: .*markdwon — Did you mean/);
  const json = await workspace.portico(["card", "preview", "-", "--json"], JSON.stringify(REFUSED));
  assert.deepEqual([json.code, JSON.parse(json.stdout).findings[0].pointer], [1, "/body/elements/2/tag"]);

  await workspace.write("large.json", JSON.stringify("x".repeat(PREVIEW_LIMITS.jsonBytes)));
  for (const [args, input, said] of [
    [["-"], '{"schema"', /standard input:1:10: not JSON/],
    [["large.json"], "", /large\.json is too large to be shown: \d+ bytes of 262144/],
  ] as const) {
    const { code, stdout, stderr } = await workspace.portico(["card", "preview", ...args], input);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, said);
  }
});

test("--open hands the link to the program that opens links, without a shell", {
  skip: process.platform !== "linux",
}, async () => {
  await using workspace = await createWorkspace();
  const opener = await workspace.write("bin/xdg-open", "");
  const folder = join(opener, "..");
  // It tells what it was given through the pipe that it opens.
  await writeFile(
    opener,
    `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > ${folder}/opened.new\nmv ${folder}/opened.new ${folder}/opened\n`,
  );
  await chmod(opener, 0o755);
  await workspace.write("card.json", JSON.stringify(CARD));
  const args = ["card", "preview", "card.json", "--open"];
  const shown = await run(workspace, args, { PATH: `${folder}:${process.env.PATH}` });
  assert.deepEqual([shown.code, shown.stderr], [0, ""]);
  let opened = "";
  while (opened === "") opened = await readFile(join(folder, "opened"), "utf8").catch(() => "");
  assert.equal(opened, `1\n${shown.stdout}`);

  const none = await run(workspace, args, { PATH: "/nowhere" });
  assert.equal(none.code, 1);
  assert.match(none.stderr, /cannot open a browser by xdg-open: ENOENT; open the link yourself/);
});

test("without a browser --png says what to install or set, after the link", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("card.json", JSON.stringify(CARD));
  const folder = join(await workspace.write("bin/chromium", "not a program"), "..");
  for (const [variables, said] of [
    [
      { PORTICO_BROWSER: "", PATH: folder },
      /no Chromium or Chrome on this machine: install one .*or set PORTICO_BROWSER/,
    ],
    [{ PORTICO_BROWSER: join(folder, "absent") }, /PORTICO_BROWSER is .*absent, which is no program/],
    [{ PORTICO_BROWSER: "no-such-browser" }, /PORTICO_BROWSER is no-such-browser, which is no program/],
    [{ PORTICO_BROWSER: process.execPath }, /node.* has ended too early\n.*bad option/],
  ] as const) {
    const { code, stdout, stderr, left } = await run(
      workspace,
      ["card", "preview", "card.json", "--png", "a.png"],
      variables,
    );
    assert.deepEqual([code, left], [1, []], stderr);
    assert.match(stdout, /^http:\S+\n$/);
    assert.match(stderr, said);
  }
  await assert.rejects(workspace.read("a.png"), /ENOENT/);
});

describe("a picture of a card", { skip: NO_BROWSER }, () => {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService();
  });
  after(() => demo?.[Symbol.asyncDispose]());

  async function picture(card: unknown, ...args: string[]) {
    await demo.write("card.json", JSON.stringify(card));
    const outcome = await run(demo, ["card", "preview", "card.json", "--png", "card.png", ...args]);
    const png = await readFile(await demo.write("near", "").then((path) => join(path, "../card.png")));
    const stderr = saidBesideRoot(outcome.stderr);
    return { ...outcome, stderr, png, size: imageSizeOf(png) ?? { width: 0, height: 0 } };
  }

  it("is of the card alone, twice as fine as the card is large, in the theme that is asked for", async () => {
    const light = await picture(CARD, "--locale", "zh-CN", "--theme", "light");
    assert.deepEqual([light.code, light.left], [0, []], light.stderr);
    const { width, height } = light.size;
    assert.equal(light.stderr, `card.png: ${width} x ${height} pixels\n`);
    assert.equal(width, 2 * CARD_WIDTH);
    assert.ok(height > 200 && height < 500, `${height}`);
    const dark = await picture(CARD, "--theme", "dark", "--json");
    assert.deepEqual(JSON.parse(dark.stdout).picture, { file: "card.png", width, height });
    assert.ok(brightness(light.png) > 200, `${brightness(light.png)}`);
    assert.ok(brightness(dark.png) < 80, `${brightness(dark.png)}`);
  });

  it("shows all of a card that is longer than a window, and what the service would refuse", async () => {
    const lines = Array.from({ length: 60 }, (_, n) => ({ tag: "markdown", content: `line ${n}` }));
    const long = { ...CARD, body: { elements: [...CARD.body.elements, ...lines, { tag: "markdwon" }] } };
    const { code, stderr, size } = await picture(long);
    assert.equal(code, 1);
    assert.match(stderr, /^card\.png: 1200 x \d+ pixels\n.*would be refused\n/s);
    assert.ok(size.height > 60 * 2 * 20, `${size.height}`);
  });

  it("waits for the pictures in the card, and tells of those that cannot be fetched", async () => {
    const at = ["--base-url", demo.baseUrl];
    const shown = { tag: "img", img_url: `${demo.baseUrl}/assets/portico.svg` };
    const { code, stderr, size } = await picture({ schema: "2.0", body: { elements: [shown] } }, ...at);
    assert.deepEqual([code, stderr], [0, `card.png: ${size.width} x ${size.height} pixels\n`]);
    assert.ok(size.height > 400, `${size.height}`);
    const gone = { tag: "img", img_url: "https://127.0.0.1:2/gone.png" };
    const half = await picture({ schema: "2.0", body: { elements: [shown, gone] } }, ...at);
    assert.equal(half.code, 0);
    assert.match(half.stderr, /^pictures in the card that could not be fetched: 1\ncard\.png: /);
  });

  it("is not written where the service has no preview, does not answer, or the file cannot be written", async () => {
    await using elsewhere = await startService((response) => response.writeHead(404).end("no"));
    for (const [args, said] of [
      [
        ["--png", "b.png", "--base-url", elsewhere.baseUrl],
        /the service answers 404: does the service at this address/,
      ],
      [
        ["--png", "b.png", "--base-url", "http://127.0.0.1:2"],
        /the browser cannot open http:\/\/127\.0\.0\.1:2: net::ERR/,
      ],
      [["--png", "absent/b.png"], /cannot write absent\/b\.png: ENOENT/],
    ] as const) {
      await demo.write("card.json", JSON.stringify(CARD));
      const { code, stderr, left } = await run(demo, ["card", "preview", "card.json", ...args]);
      assert.deepEqual([code, left], [1, []], stderr);
      assert.match(stderr, said);
    }
    await assert.rejects(demo.read("b.png"), /ENOENT/);
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    it(`ends its browser on ${signal}`, async () => {
      await using workspace = await createWorkspace();
      await workspace.write("card.json", JSON.stringify(CARD));
      // It answers nothing, so that the browser waits.
      await using server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      assert.ok(address !== null && typeof address === "object");
      const at = ["--base-url", `http://127.0.0.1:${address.port}`];
      const { child, temporary } = await begin(workspace, ["card", "preview", "card.json", "--png", "a.png", ...at]);
      const [complaints, ended] = [text(child.stderr), once(child, "close")];
      const [socket]: Socket[] = await once(server, "connection");
      assert.ok(socket);
      const browserEnded = once(socket.on("error", () => {}).resume(), "close");
      child.kill(signal);
      await Promise.all([browserEnded, ended]);
      // Killed, it can tell and remove nothing.
      if (signal === "SIGKILL") return;
      assert.equal(child.exitCode, 1);
      assert.match(await complaints, /interrupted: there is no picture/);
      assert.deepEqual(await readdir(temporary), []);
    });
  }
});

/** The mean of the colours at the bottom of a PNG of three bytes a pixel, above the frame: the ground of the card. */
function brightness(png: Buffer): number {
  const { width, height } = imageSizeOf(png) ?? assert.fail("no PNG");
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = 3 * width;
  assert.equal(raw.length, height * (stride + 1));
  let above: Uint8Array = new Uint8Array(stride);
  for (let row = 0; row < height - 8; row++) {
    const line = raw.subarray(row * (stride + 1) + 1, (row + 1) * (stride + 1));
    above = unfiltered(raw[row * (stride + 1)] ?? 0, line, above);
  }
  const middle = above.subarray(stride / 4, (3 * stride) / 4);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** A line of a PNG (section 9.2 of its specification). */
function unfiltered(filter: number, line: Uint8Array, above: Uint8Array): Uint8Array {
  const out = new Uint8Array(line.length);
  for (let at = 0; at < line.length; at++) {
    const [a, b, c] = [out[at - 3] ?? 0, above[at] ?? 0, above[at - 3] ?? 0];
    const predicted = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0;
    out[at] = (line[at] ?? 0) + predicted;
  }
  return out;
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}
