import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import fc from "fast-check";
import { findCardProblems } from "./find-card-problems.ts";
import { PREVIEW_LIMITS, previewFragment, readPreviewFragment } from "./preview-link.ts";

const CARD = { schema: "2.0", body: { elements: [{ tag: "markdown", content: "构建 **12** 失败" }] } };

function linkTo(bytes: string | Uint8Array): string {
  return `#card=${Buffer.from(bytes).toString("base64url")}`;
}

describe("a link to the preview of a card", () => {
  it("gives back the card with its look, in a few characters for a long one", async () => {
    const long = { ...CARD, more: Array.from({ length: 200 }, () => CARD) };
    for (const card of [CARD, long, null, "x", 5, []]) {
      const fragment = await previewFragment(card, { locale: "zh_CN", theme: "dark" });
      assert.match(fragment, /^card=[\w-]+&locale=zh_CN&theme=dark$/);
      assert.deepEqual(await readPreviewFragment(`#${fragment}`), {
        fault: null,
        card,
        locale: "zh_CN",
        theme: "dark",
      });
    }
    assert.ok((await previewFragment(long)).length < JSON.stringify(long).length / 20);
  });

  it("gives back any JSON", async () => {
    const values = fc.json().map((text): unknown => JSON.parse(text));
    await fc.assert(
      fc.asyncProperty(values, async (card) => {
        const read = await readPreviewFragment(await previewFragment(card));
        assert.deepEqual(read, { fault: null, card, locale: undefined, theme: undefined });
      }),
      { numRuns: 50 },
    );
  });

  it("may hold JSON that is not compressed, and padding", async () => {
    const json = JSON.stringify(CARD);
    for (const encoding of ["base64url", "base64"] as const) {
      const text = Buffer.from(json).toString(encoding).replaceAll("+", "-").replaceAll("/", "_");
      assert.partialDeepStrictEqual(await readPreviewFragment(`card=${text}`), { fault: null, card: CARD });
    }
  });

  it("says nothing of a locale or a theme that there is not", async () => {
    for (const look of ["locale=&theme=", "locale=../x&theme=pink", `locale=${"a-".repeat(99)}`, "locale=%00"]) {
      const read = await readPreviewFragment(`#${await previewFragment(CARD)}&${look}`);
      assert.deepEqual(read, { fault: null, card: CARD, locale: undefined, theme: undefined }, look);
    }
  });

  const whole = deflateSync(JSON.stringify(CARD));
  for (const [fragment, fault] of [
    ["", "no-card"],
    ["#", "no-card"],
    ["#card=", "no-card"],
    ["#text=e30", "no-card"],
    ["#card=a%20b", "not-base64"],
    ["#card=e3%00", "not-base64"],
    ["#card=abcde", "not-base64"],
    ["#card=<script>", "not-base64"],
    [linkTo(whole.subarray(0, -1)), "damaged"],
    [linkTo(whole.map((byte, at) => (at === whole.length - 1 ? byte ^ 1 : byte))), "damaged"],
    [linkTo(Buffer.concat([whole, whole])), "damaged"],
    [linkTo("x"), "damaged"],
    [linkTo(Buffer.from([0xff, 0xfe])), "not-text"],
    [linkTo(deflateSync(Buffer.from([0xff, 0xfe]))), "not-text"],
    [linkTo('{"schema"'), "not-json"],
    [linkTo("undefined"), "not-json"],
    [linkTo(" ".repeat(PREVIEW_LIMITS.jsonBytes + 1)), "too-large"],
    [`#card=${"A".repeat(PREVIEW_LIMITS.fragmentCharacters)}`, "too-long"],
  ] as const) {
    it(`is ${fault} as ${JSON.stringify(fragment.slice(0, 40))}…`, async () => {
      assert.deepEqual(await readPreviewFragment(fragment), { fault });
    });
  }

  it("is too-large when it would unpack to gigabytes, long before it has", async () => {
    const spaces = deflateRawSync(Buffer.alloc(1_000_000, " "), { finishFlush: constants.Z_FULL_FLUSH });
    const bomb = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: 300 }, () => spaces)]);
    const before = process.memoryUsage().rss;
    assert.deepEqual(await readPreviewFragment(linkTo(bomb)), { fault: "too-large" });
    assert.ok(process.memoryUsage().rss - before < 100_000_000);
  });

  it("may be nested as deep as it is long: it is read, and its card is judged", async () => {
    const levels = 60_000;
    const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const inside = `{"schema":"2.0","body":{"elements":[]},"x":${deep}}`;
    for (const json of [deep, inside]) {
      const read = await readPreviewFragment(linkTo(deflateSync(json)));
      assert.equal(read.fault, null);
      if (read.fault === null) assert.ok(findCardProblems(read.card).length > 0);
    }
  });

  it("is read without a fault of the reader, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 50 }), async (bytes, text) => {
        await readPreviewFragment(linkTo(bytes));
        await readPreviewFragment(linkTo(Buffer.concat([Buffer.from([0x78, 0x9c]), bytes])));
        await readPreviewFragment(text);
        await readPreviewFragment(`#card=${text}`);
      }),
      { numRuns: 100 },
    );
  });
});
