import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import ipaddr from "ipaddr.js";
import { AddressGuard, AddressRefused, isPublicAddress } from "../src/platform/network/address-guard.ts";

const corpora = process.env.PORTICO_TEST_CORPORA;

/** Lists of URLs or hosts that other projects refuse. */
const LISTS = [
  "microsoft-antissrf/blocked-urls.txt",
  "ssrf-req-filter/blockedUrls.txt",
  "request-filtering-agent/blocked.txt",
  "doyensec-safeurl/blocked-hosts.txt",
];
const CIDRS = "microsoft-antissrf/special-cidrs-recommendedV1.txt";

/** Resolves names as the authors of the lists describe: to the address in the name, otherwise to this machine. */
const lookup = async (hostname: string) => {
  const address = /(\d{1,3}\.){3}\d{1,3}/.exec(hostname)?.[0] ?? "127.0.0.1";
  return [{ address, family: 4 }];
};

describe("addresses that must never be called", () => {
  if (corpora === undefined) {
    test("the corpus", { skip: "set PORTICO_TEST_CORPORA to run" }, () => {});
    return;
  }
  const linesOf = (file: string) =>
    readFileSync(join(corpora, "ssrf", file), "utf8")
      .split("\n")
      .filter((line) => line !== "");

  for (const file of LISTS) {
    const lines = linesOf(file);
    test(`${file} is complete`, () => assert.ok(lines.length >= 13));
    for (const line of lines) {
      const secure = /^https?:/.test(line) ? line.replace(/^http:/, "https:") : `https://${line}`;
      for (const url of new Set([line, secure])) {
        test(`${url} (${file}) is refused`, async () => {
          const guard = new AddressGuard({ lookup });
          await assert.rejects(guard.check(url), AddressRefused);
          const offline = new AddressGuard({ lookup: () => Promise.reject(new Error("no network")) });
          await assert.rejects(offline.check(url), AddressRefused);
        });
      }
    }
  }

  for (const cidr of linesOf(CIDRS)) {
    test(`${cidr} (${CIDRS}) is refused: first, middle and last address, also mapped into IPv6`, async () => {
      const guard = new AddressGuard();
      for (const address of addressesIn(cidr)) {
        assert.equal(isPublicAddress(address), false, address);
        const hosts = isIPv6(address) ? [`[${address}]`] : [address, `[::ffff:${address}]`];
        for (const host of hosts) await assert.rejects(guard.check(`https://${host}/`), AddressRefused, host);
      }
    });
  }
});

/** The first, a middle and the last address of a block. */
function addressesIn(cidr: string): string[] {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  const fill = (host: (bit: number) => number) => {
    const bytes = network.toByteArray().map((byte, index) => {
      let filled = byte;
      for (let bit = 0; bit < 8; bit++) if (index * 8 + bit >= bits) filled |= host(index * 8 + bit) << (7 - bit);
      return filled;
    });
    return ipaddr.fromByteArray(bytes).toString();
  };
  return [fill(() => 0), fill((bit) => (bit === bits ? 1 : 0)), fill(() => 1)];
}
