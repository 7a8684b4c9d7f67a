import assert from "node:assert/strict";
import { BlockList, isIP } from "node:net";
import { describe, test } from "node:test";
import fc from "fast-check";
import { proxyNetwork } from "../config/networks.ts";
import { addressBlock, addressSite, clientAddress } from "./client-address.ts";

const PROXIES = ["10.0.0.0/8", "192.168.7.7/32", "fd00::/8", "fe80::/10"];
const trusted = PROXIES.map(proxyNetwork);
const PEER = "10.0.0.1";

describe("the address of a client behind proxies", () => {
  for (const [what, peer, header, address] of [
    ["nobody is in front", "203.0.113.9", "", "203.0.113.9"],
    ["a trusted proxy says nothing", PEER, "", PEER],
    ["a trusted proxy names the client", PEER, "203.0.113.9", "203.0.113.9"],
    ["a peer that is not listed is not believed", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["what the client wrote itself is not believed", PEER, "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["proxies in a row are all gone back through", PEER, "203.0.113.9, 192.168.7.7, 10.9.9.9", "203.0.113.9"],
    ["all that are named are trusted: the first of them", PEER, "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["spaces, tabs and none after the comma", PEER, "198.51.100.1,\t203.0.113.9 ,10.0.0.2", "203.0.113.9"],
    ["a port", PEER, "203.0.113.9:4711", "203.0.113.9"],
    ["brackets", PEER, "[2001:db8::1]", "2001:db8::1"],
    ["brackets and a port", PEER, "[2001:db8::1]:80", "2001:db8::1"],
    ["IPv6 bare", PEER, "2001:db8::1", "2001:db8::1"],
    ["IPv6 in another spelling", PEER, "2001:0DB8:0:0::0:1", "2001:db8::1"],
    ["IPv6 with a zone", PEER, "fe80::1%eth0, fe80::2%eth0", "fe80::1"],
    ["brackets, a zone and a port", PEER, "203.0.113.9, [fe80::1%eth0]:80", "203.0.113.9"],
    ["IPv4 in IPv6 clothes", PEER, "203.0.113.9, ::ffff:10.0.0.2", "203.0.113.9"],
    ["IPv4 in IPv6 clothes, in hex", PEER, "203.0.113.9, ::ffff:a00:2", "203.0.113.9"],
    ["IPv4 in IPv6 clothes, not trusted", PEER, "::ffff:203.0.113.9", "203.0.113.9"],
    ["an IPv4-compatible address is none of IPv4", PEER, "203.0.113.9, ::10.0.0.2", "::a00:2"],
    ["the peer in IPv6 clothes", "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["the peer in IPv6 clothes, not trusted", "::ffff:203.0.113.9", "10.0.0.1", "203.0.113.9"],
    ["the peer with a zone", "fe80::1%eth0", "203.0.113.9", "203.0.113.9"],
    ["the peer's address is not known", "", "203.0.113.9", ""],
    ["`unknown` ends it", PEER, "203.0.113.9, unknown, 10.0.0.2", "10.0.0.2"],
    ["an obfuscated name ends it", PEER, "203.0.113.9, _hidden, 10.0.0.2", "10.0.0.2"],
    ["an empty entry ends it", PEER, "203.0.113.9,, 10.0.0.2", "10.0.0.2"],
    ["an empty entry at the end ends it", PEER, "203.0.113.9,", PEER],
    ["an empty entry at the beginning ends it", PEER, ",10.0.0.2", "10.0.0.2"],
    ["nothing but a comma", PEER, ",", PEER],
    ["blanks", PEER, "  ", PEER],
    ["a host name", PEER, "client.example.com", PEER],
    ["an address in quotes", PEER, '"203.0.113.9"', PEER],
    ["the syntax of another header", PEER, "for=203.0.113.9", PEER],
    ["three parts", PEER, "203.0.113", PEER],
    ["leading zeros", PEER, "203.0.113.09", PEER],
    ["hexadecimal", PEER, "0xcb.0.0.1", PEER],
    ["a number", PEER, "3405803785", PEER],
    ["a network", PEER, "203.0.113.0/24", PEER],
    ["a port that is none", PEER, "203.0.113.9:65536", PEER],
    ["a port without a number", PEER, "203.0.113.9:", PEER],
    ["IPv4 in brackets", PEER, "[203.0.113.9]", PEER],
    ["IPv4 in brackets, with a port", PEER, "[203.0.113.9]:80", PEER],
    ["a bracket that does not close", PEER, "[2001:db8::1", PEER],
    ["brackets in brackets", PEER, "[[2001:db8::1]]", PEER],
    ["something after the brackets", PEER, "[2001:db8::1]x", PEER],
    ["a zone that is none", PEER, "fe80::1%<b>", PEER],
    ["a zone on IPv4", PEER, "203.0.113.9%eth0", PEER],
    ["blanks within", PEER, "203.0. 113.9", PEER],
    ["a blank that HTTP has none of", PEER, "\u00a0203.0.113.9", PEER],
    ["two addresses without a comma", PEER, "203.0.113.9 198.51.100.1", PEER],
  ] as const) {
    test(what, () => assert.equal(clientAddress(peer, header, trusted), address));
  }

  test("without trusted proxies the header is ignored, whoever sends it", () => {
    for (const peer of ["127.0.0.1", "203.0.113.9", "::1"]) {
      assert.equal(clientAddress(peer, "198.51.100.1", []), peer);
    }
    assert.equal(clientAddress("::ffff:203.0.113.9", "198.51.100.1", []), "203.0.113.9");
  });
  test("a proxy that is listed as an IPv4-mapped address is trusted", () => {
    for (const cidr of ["::ffff:10.0.0.0/104", "::ffff:a00:1/128"]) {
      assert.equal(clientAddress(PEER, "203.0.113.9", [proxyNetwork(cidr)]), "203.0.113.9");
    }
  });
  test("at most 32 proxies in a row are followed, however long the header", () => {
    const hops = Array.from({ length: 4_000 }, (_, n) => `10.1.${n >> 8}.${n & 255}`);
    assert.equal(clientAddress(PEER, hops.join(), trusted), hops.at(-32));
  });
  test("an entry of any length that is not an address ends the search", () => {
    const long = `203.0.113.9, fe80::1%${"0".repeat(16_000)}`;
    assert.equal(clientAddress(PEER, long, trusted), PEER);
    assert.equal(clientAddress(PEER, " ".repeat(16_000), trusted), PEER);
  });
});

/** A second implementation of the rule: entries are generated with their meaning, so nothing is parsed. */
describe("any header", () => {
  const list = new BlockList();
  for (const cidr of PROXIES) {
    const [address = "", bits] = cidr.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? "ipv4" : "ipv6");
  }
  const isTrusted = (address: string) => list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");

  const octet = fc.integer({ min: 0, max: 255 });
  const ipv4 = fc.tuple(fc.constantFrom(10, 192, 203), octet, octet, octet).map((parts) => parts.join("."));
  // No group is zero, so that there is only one notation.
  const group = fc.integer({ min: 1, max: 0xffff }).map((part) => part.toString(16));
  const ipv6 = fc
    .tuple(fc.constantFrom("fd00", "fe80", "2001"), fc.array(group, { minLength: 7, maxLength: 7 }))
    .map(([first, rest]) => [first, ...rest].join(":"));
  const port = fc.integer({ min: 0, max: 65_535 });
  const hop = fc.oneof(
    ipv4.map((address) => ({ text: address, address })),
    ipv6.map((address) => ({ text: address, address })),
    fc.tuple(ipv4, port).map(([address, number]) => ({ text: `${address}:${number}`, address })),
    fc.tuple(ipv6, port).map(([address, number]) => ({ text: `[${address}]:${number}`, address })),
    ipv6.map((address) => ({ text: `[${address.toUpperCase()}]`, address })),
    ipv6.map((address) => ({ text: `${address}%eth0`, address })),
    ipv4.map((address) => ({ text: `::ffff:${address}`, address })),
  );
  const noHop = fc.constantFrom("", "unknown", "_a", "10.0.0", "10.0.0.1:x", "[10.0.0.1]", "::1::", "10.0.0.1/8", "é");
  const entry = fc.oneof(
    { weight: 6, arbitrary: hop },
    noHop.map((text) => ({ text, address: null })),
  );
  const blanks = fc.constantFrom("", " ", "\t", "  ");

  test("is trusted from its end up to the first entry that is not listed or not an address", () => {
    const entries = fc.array(fc.tuple(blanks, entry, blanks), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(hop, entries, (peer, header) => {
        let expected = peer.address;
        for (const [, { address }] of header.toReversed()) {
          if (!isTrusted(expected) || address === null) break;
          expected = address;
        }
        const text = header.map(([before, { text }, after]) => before + text + after).join(",");
        assert.equal(clientAddress(peer.address, text, trusted), expected);
      }),
      { numRuns: 1_000 },
    );
  });
  test("for any header, the result is the peer or a normalised address", () => {
    const alphabet = fc.constantFrom(..."0123456789abcdef:.,[]% \t/xé");
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: alphabet }), fc.string({ unit: "binary" })), (header) => {
        const address = clientAddress(PEER, header, trusted);
        assert.ok(isIP(address) !== 0 && !address.includes("%"), address);
        assert.equal(clientAddress(address, "", trusted), address);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("what counts as one caller", () => {
  for (const [address, block] of [
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8::/64"],
    ["::1", "::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["", ""],
  ] as const) {
    test(`${address || "an unknown address"}: ${block || "all that are unknown"}`, () =>
      assert.equal(addressBlock(address), block));
  }
  test("the first 48 bits of an IPv6 address are one site, and an IPv4 address is", () => {
    assert.equal(addressSite("2001:db8:1:2:3:4:5:6"), "2001:db8:1::/48");
    assert.equal(addressSite("2001:db8:1:9::"), "2001:db8:1::/48");
    assert.equal(addressSite("::ffff:203.0.113.9"), "203.0.113.9");
  });
});
