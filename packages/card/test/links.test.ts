import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { directPicture, linkOf } from "../src/model/links.ts";

describe("an address that may be opened", () => {
  for (const [address, href, host] of [
    ["https://a.test/x?y#z", "https://a.test/x?y#z", "a.test"],
    ["HTTP://A.test", "http://a.test/", "a.test"],
    ["https://user:secret@b.test/", "https://user:secret@b.test/", "b.test"],
    ["https://bücher.test/", "https://xn--bcher-kva.test/", "xn--bcher-kva.test"],
    ["https://a.test/\u202Egnp.exe", "https://a.test/%E2%80%AEgnp.exe", "a.test"],
    ["https://a.test\\@b.test/", "https://a.test/@b.test/", "a.test"],
    ["https://a。test/", "https://a.test/", "a.test"],
    ["https://[::1]:8080/", "https://[::1]:8080/", "[::1]:8080"],
  ] as const) {
    test(`${JSON.stringify(address)} leads to ${host}`, () => assert.deepEqual(linkOf(address), { href, host }));
  }

  for (const address of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "\u00A0https://a.test/",
    "vbscript:x",
    "data:text/html,<script>",
    "blob:https://a.test/1",
    "view-source:https://a.test/",
    "file:///etc/passwd",
    "//a.test/",
    "\\\\a.test\\x",
    "https:a.test",
    "https:/a.test",
    "https:\\\\a.test",
    "https://",
    "https://?",
    "https://a b.test/",
    "https://\u0000a.test/",
    "ｈttps://a.test/",
    "https\u200B://a.test/",
    "ht\ntps://a.test/",
    `https://${"a.".repeat(130)}test/`,
    "",
    7,
    null,
    ["https://a.test/"],
    { toString: () => "https://a.test/" },
  ]) {
    test(`${JSON.stringify(address)?.slice(0, 60)} is none`, () => assert.equal(linkOf(address), null));
  }
});

test("a picture of another page by http is fetched by https, and nothing else is changed", () => {
  assert.equal(directPicture("http://a.test/x"), "https://a.test/x");
  assert.equal(directPicture("https://a.test/x"), "https://a.test/x");
});
