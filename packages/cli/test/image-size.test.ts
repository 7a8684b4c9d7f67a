import assert from "node:assert/strict";
import { test } from "node:test";
import { imageSizeOf } from "../src/image-size.ts";

/** Headers of pictures of 300 by 200 pixels, as encoders write them. */
const HEADS: Record<string, string> = {
  PNG: "89504e470d0a1a0a 0000000d 49484452 0000012c 000000c8 08 02 00 00 00",
  GIF87a: "474946383761 2c01 c800 80 00 00",
  GIF89a: "474946383961 2c01 c800 80 00 00",
  "lossy WebP": "52494646 00000000 57454250 56503820 00000000 300100 9d012a 2c01 c800",
  "lossless WebP": "52494646 00000000 57454250 5650384c 00000000 2f 2bc13100",
  "extended WebP": "52494646 00000000 57454250 56503858 0a000000 10000000 2b0100 c70000",
  "baseline JPEG": "ffd8 ffe00010 4a46494600010100000100010000 ffdb0003 00 ffc00011 08 00c8 012c 03",
  "progressive JPEG with fill bytes": "ffd8 fffffe0004 6869 ffffffc20011 08 00c8 012c 03",
  "JPEG with its tables first": "ffd8 ffc40003 00 ffc10011 08 00c8 012c 03",
};
const headOf = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

for (const [kind, hex] of Object.entries(HEADS)) {
  test(`the size of a ${kind} is read from its header`, () => {
    assert.deepEqual(imageSizeOf(headOf(hex)), { width: 300, height: 200 });
  });

  test(`a truncated ${kind} has no size`, () => {
    const head = headOf(hex);
    for (let length = 0; length < Math.min(head.length, 22); length++) {
      const size = imageSizeOf(head.subarray(0, length));
      assert.ok(size === null || length >= 10, `${length} bytes`);
    }
  });
}

test("a file that is not a picture of these kinds has no size", () => {
  for (const content of ["", "<svg/>", "RIFF0000WAVEfmt ", "RIFF0000WEBPVP9 ", "hello, world of pictures"]) {
    assert.equal(imageSizeOf(Buffer.from(content)), null);
  }
  assert.equal(imageSizeOf(headOf("ffd8 00 00 00 00 00 00 00 00 00 00")), null);
});
