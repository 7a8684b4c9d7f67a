import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { consoleHostTest } from "./hosts.ts";

function hostTest(
  baseUrl: string | null,
  consoleUrl: string | null,
  environment: "test" | "production" = "production",
) {
  return consoleHostTest({ environment, port: 8080, baseUrl, consoleUrl });
}

describe("recognising the console's host", () => {
  for (const [baseUrl, consoleUrl] of [
    [null, null],
    ["https://a.example", null],
    ["https://a.example", "https://a.example"],
    ["https://a.example", "https://A.EXAMPLE:443"],
    ["https://a.example", "https://a.example./console"],
    ["https://a.example", "http://a.example"],
    [null, "http://localhost:8080"],
  ] as const) {
    test(`${baseUrl} and ${consoleUrl} are one host`, () => assert.equal(hostTest(baseUrl, consoleUrl), null));
  }
  test("in a test environment hosts are not separated", () => {
    assert.equal(hostTest("https://a.example", "https://b.example", "test"), null);
  });

  for (const [consoleUrl, yes, no] of [
    ["https://b.example", ["b.example", "B.example.", "b.example:1"], ["a.example", "b.example.x", "", "b.example:x"]],
    [
      "https://a.example:8443",
      ["a.example:8443", "A.EXAMPLE.:8443"],
      ["a.example", "a.example:443", "a.example:84430"],
    ],
    ["http://[2001:db8::1]", ["[2001:db8::1]", "[2001:DB8:0::1]:80"], ["[2001:db8::2]", "2001:db8::1", "[::1"]],
    ["http://bücher.example", ["xn--bcher-kva.example"], ["bücher.example", "bucher.example"]],
    ["http://192.0.2.1:81", ["192.0.2.1:81", "192.0.2.1"], ["192.0.2.2:81"]],
  ] as const) {
    test(`of ${consoleUrl} beside https://a.example`, () => {
      const isConsole = hostTest("https://a.example", consoleUrl);
      assert.ok(isConsole);
      for (const host of yes) assert.ok(isConsole(host), host);
      for (const host of no) assert.ok(!isConsole(host), host);
    });
  }
  test("two ports of one name are two hosts, and the default port is the scheme's", () => {
    const isConsole = hostTest("http://localhost:8080", "http://localhost:8081");
    assert.deepEqual(
      ["localhost:8081", "localhost:8080", "localhost"].map((host) => isConsole?.(host)),
      [true, false, false],
    );
    const isDefault = hostTest("https://x:8443", "https://x");
    assert.deepEqual(
      ["x", "x:443", "x:8443"].map((host) => isDefault?.(host)),
      [true, true, false],
    );
  });
});
