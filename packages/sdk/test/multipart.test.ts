import assert from "node:assert/strict";
import { test } from "node:test";
import { multipartBody } from "../src/upload/multipart.ts";

const bytesOf = (text: string) => Buffer.from(text, "latin1");
const BINARY = Buffer.from([0x00, 0x0d, 0x0a, 0xff, 0x0a]);

test("the body has the layout of the contract, with CRLF line breaks and the unchanged bytes of the file", () => {
  const file = { fileName: "a.png", mimeType: "image/png", pieces: [BINARY.subarray(0, 2), BINARY.subarray(2)] };
  const body = multipartBody(file, () => "edge");
  assert.equal(body.contentType, "multipart/form-data; boundary=edge");
  assert.deepEqual(
    Buffer.from(body.bytes),
    Buffer.concat([
      bytesOf('--edge\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n'),
      bytesOf("Content-Type: image/png\r\n\r\n"),
      BINARY,
      bytesOf("\r\n--edge--\r\n"),
    ]),
  );
});

test("an empty file stands between the empty line and the closing delimiter", () => {
  const { bytes } = multipartBody({ fileName: "a", mimeType: "text/plain", pieces: [] }, () => "edge");
  assert.ok(Buffer.from(bytes).toString().endsWith("Content-Type: text/plain\r\n\r\n\r\n--edge--\r\n"));
});

test("no file name can end its quotes or its line", () => {
  for (const [fileName, written] of [
    ['say "hi".txt', 'say \\"hi\\".txt'],
    ["back\\slash.txt", "back\\\\slash.txt"],
    ['trailing\\"', 'trailing\\\\\\"'],
    ["two\r\nContent-Type: text/html", "two__Content-Type: text/html"],
    ["nul\0.txt", "nul_.txt"],
    ["构建 é 😀.png", "构建 é 😀.png"],
    ["half \ud83d.png", "half \ufffd.png"],
  ] as const) {
    const { bytes } = multipartBody({ fileName, mimeType: "text/plain", pieces: [] });
    const [, disposition] = Buffer.from(bytes).toString("utf8").split("\r\n");
    assert.equal(disposition, `Content-Disposition: form-data; name="file"; filename="${written}"`);
  }
});

test("a boundary that the file contains is not used, even across its pieces", () => {
  const boundaries = ["edge-1", "edge-2", "edge-3"].values();
  const next = () => boundaries.next().value ?? assert.fail("a free boundary was passed over");
  const pieces = [bytesOf("has edge"), bytesOf("-1 in it, and ends with edge-2")];
  const body = multipartBody({ fileName: "a", mimeType: "text/plain", pieces }, next);
  assert.equal(body.contentType, "multipart/form-data; boundary=edge-3");
});

test("a boundary that only the file name contains does no harm", () => {
  const body = multipartBody({ fileName: "edge", mimeType: "text/plain", pieces: [] }, () => "edge");
  assert.equal(body.contentType, "multipart/form-data; boundary=edge");
});

test("each body has a boundary of its own", () => {
  const file = { fileName: "a", mimeType: "text/plain", pieces: [] };
  assert.notEqual(multipartBody(file).contentType, multipartBody(file).contentType);
});

test("changes of the original do not change the body", () => {
  const original = Buffer.from("before");
  const { bytes } = multipartBody({ fileName: "a", mimeType: "text/plain", pieces: [original] });
  original.write("after!");
  assert.ok(Buffer.from(bytes).includes("before"));
});
