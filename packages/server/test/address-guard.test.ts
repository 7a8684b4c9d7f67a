import assert from "node:assert/strict";
import { isIPv6 } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { wordsOfRefusal } from "../src/domain/webhooks/attempts/callback-refusal.ts";
import { parseNetwork } from "../src/platform/config/networks.ts";
import { AddressGuard, AddressRefused, isPublicAddress, parseHttpsUrl } from "../src/platform/network/address-guard.ts";
import { resolverOf } from "./support/receiver.ts";

const IPV4_BLOCKS = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/);
const IPV6_BLOCKS = `::/128 ::1/128 ::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001::/32
  2001:20::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
  ::/3 4000::/2 8000::/1`.split(/\s+/);

describe("a callback URL", () => {
  const ACCEPTED: Record<string, string> = {
    "https://example.com": "example.com",
    "https://example.com/hook?a=b#c": "example.com",
    "https://example.com:8443/": "example.com",
    "HTTPS://EXAMPLE.COM/": "example.com",
    "https://example.com./": "example.com.",
    "https://bücher.example/": "xn--bcher-kva.example",
    "https://93.184.216.34/": "93.184.216.34",
    "https://[2606:2800:220:1::1]/": "[2606:2800:220:1::1]",
    "https://0x7f.1/": "127.0.0.1",
    "https://2130706433/": "127.0.0.1",
    "https://0177.0.0.1./": "127.0.0.1",
    "https://１２７.０.０.１/": "127.0.0.1",
    "https://①②⑦.0.0.1/": "127.0.0.1",
    "https://127。0。0。1/": "127.0.0.1",
    "https://[::FFFF:127.0.0.1]/": "[::ffff:7f00:1]",
    "https://example.com\\@evil.example": "example.com",
    "https://example.com/@evil.example": "example.com",
    "https://example.com?@evil.example": "example.com",
  };
  for (const [text, hostname] of Object.entries(ACCEPTED)) {
    test(`${text} has the host ${hostname}`, () => assert.equal(parseHttpsUrl(text).hostname, hostname));
  }

  const REFUSED: Record<string, string> = {
    "": "malformed",
    "example.com/hook": "malformed",
    "//example.com/hook": "malformed",
    "https://": "malformed",
    "https://:443/": "malformed",
    "https://example.com:99999/": "malformed",
    "https://exa mple.com/": "malformed",
    " https://example.com/": "malformed",
    "https://example.com/\n": "malformed",
    "ht\ttps://example.com/": "malformed",
    "https://example.com/a\r\nx-injected: 1": "malformed",
    "https://example.com/\0": "malformed",
    "https://example.com/\u0085": "malformed",
    "https://1.2.3.4.5/": "malformed",
    "https://256.0.0.1/": "malformed",
    "https://[fe80::1%25eth0]/": "malformed",
    "https://[::1/": "malformed",
    "https://a%00b/": "malformed",
    "https:example.com": "malformed",
    "https:/example.com/": "malformed",
    "https:///example.com/": "malformed",
    "https:\\\\example.com\\": "malformed",
    "https:/\\example.com/": "malformed",
    "https://\\example.com/": "malformed",
    "http://example.com/": "not-https",
    "ftp://example.com/": "not-https",
    "javascript:alert(1)": "not-https",
    "wss://example.com/": "not-https",
    "file:///etc/passwd": "not-https",
    "https://user@example.com/": "credentials-in-url",
    "https://user:pass@example.com/": "credentials-in-url",
    "https://:pass@example.com/": "credentials-in-url",
    "https://example.com@127.0.0.1/": "credentials-in-url",
    "https://@example.com/": "credentials-in-url",
    "https://:@example.com/": "credentials-in-url",
    [`https://example.com/${"a".repeat(2_029)}`]: "too-long",
  };
  for (const [text, code] of Object.entries(REFUSED)) {
    test(`${JSON.stringify(text.slice(0, 60))} is refused: ${code}`, () => {
      assert.throws(() => parseHttpsUrl(text), isRefusal(code));
    });
  }

  test("may have 2048 characters", () => {
    assert.equal(parseHttpsUrl(`https://example.com/${"a".repeat(2_028)}`).href.length, 2_048);
  });
});

describe("a public address", () => {
  for (const block of [...IPV4_BLOCKS, ...IPV6_BLOCKS]) {
    test(`is not in ${block}`, () => {
      const [first, last] = rangeOf(block);
      for (const value of [first, (first + last) / 2n, last]) {
        const address = format(value, isIPv6(block.split("/")[0] ?? "") ? 6 : 4);
        assert.equal(isPublicAddress(address), false, address);
      }
    });
  }

  const PUBLIC =
    `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    168.63.129.15 168.63.129.17 172.15.255.255 172.32.0.0 192.0.1.0 198.17.255.255 198.20.0.0 223.255.255.255
    2606:2800:220:1::1 2606:4700:4700::1111 2001:200:: 2001:db7:ffff::1 2001:db9:: 2003::1 2400:cb00::1 3ffe::1 2000::1
    2620:4f:7fff:ffff::1 2620:4f:8001:: 3fff:1000::`.split(/\s+/);
  for (const address of PUBLIC) {
    test(`is ${address}`, () => assert.equal(isPublicAddress(address), true));
  }

  const NONE = [
    "",
    "localhost",
    "1.1.1",
    "0x7f.1",
    "1.1.1.1.",
    " 1.1.1.1",
    "2606:2800:220:1::1%eth0",
    "fe80::1%1",
    "[::1]",
  ];
  for (const text of NONE) {
    test(`is not ${JSON.stringify(text)}`, () => assert.equal(isPublicAddress(text), false));
  }

  test("contains no embedded IPv4 address, whatever that address is", () => {
    fc.assert(
      fc.property(fc.ipV4(), (ipv4) => {
        const number = numberOf(ipv4).toString(16).padStart(8, "0");
        const [high, low] = [number.slice(0, 4), number.slice(4)];
        const clothes = [
          `::ffff:${ipv4}`,
          `::${ipv4}`,
          `64:ff9b::${ipv4}`,
          `64:ff9b:1::${ipv4}`,
          `2002:${high}:${low}::1`,
        ];
        for (const address of [...clothes, `2001:0:${high}:${low}::1`])
          assert.equal(isPublicAddress(address), false, address);
      }),
    );
  });

  test("is outside all blocks, by an independent calculation", () => {
    const ranges = (blocks: string[]) => blocks.map(rangeOf);
    const isOutside = (value: bigint, blocks: [bigint, bigint][]) =>
      blocks.every(([first, last]) => value < first || value > last);
    const [ipv4, ipv6] = [ranges(IPV4_BLOCKS), ranges(IPV6_BLOCKS)];
    const edges = (blocks: [bigint, bigint][], end: bigint) =>
      blocks
        .flatMap(([first, last]) => [first - 1n, first, last, last + 1n])
        .filter((value) => value >= 0n && value <= end);
    const end4 = 2n ** 32n - 1n;
    const end6 = 2n ** 128n - 1n;
    const value4 = fc.oneof(fc.bigInt(0n, end4), fc.constantFrom(...edges(ipv4, end4)));
    const value6 = fc.oneof(
      fc.bigInt(0n, end6),
      fc.bigInt(2n ** 125n, 2n ** 126n - 1n),
      fc.constantFrom(...edges(ipv6, end6)),
    );
    fc.assert(
      fc.property(value4, (value) => isPublicAddress(format(value, 4)) === isOutside(value, ipv4)),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(value6, (value) => isPublicAddress(format(value, 6)) === isOutside(value, ipv6)),
      { numRuns: 2_000 },
    );
  });

  test("also includes an exempt network, for its own address family", () => {
    const allowed = ["10.1.0.0/16", "fd00::/8"].map(parseNetwork);
    for (const address of ["10.1.0.0", "10.1.255.255", "fd12::1", "8.8.8.8"]) {
      assert.equal(isPublicAddress(address, allowed), true, address);
    }
    for (const address of [
      "10.0.255.255",
      "10.2.0.0",
      "fc00::1",
      "::ffff:10.1.0.1",
      "64:ff9b::10.1.0.1",
      "127.0.0.1",
      "fd12::1%0",
    ]) {
      assert.equal(isPublicAddress(address, allowed), false, address);
    }
    assert.equal(isPublicAddress("::ffff:10.1.0.1", [parseNetwork("::ffff:10.1.0.0/112")]), true);
  });
});

describe("the address guard", () => {
  test("resolves a name to all of its addresses without duplicates, in the resolver's order", async () => {
    const names = { "a.test": ["2606:2800:220:1::1", "93.184.216.34", "2606:2800:220:1::1", "93.184.216.35"] };
    assert.deepEqual(await new AddressGuard({ lookup: resolverOf(names) }).resolve("a.test"), [
      { address: "2606:2800:220:1::1", family: 6 },
      { address: "93.184.216.34", family: 4 },
      { address: "93.184.216.35", family: 4 },
    ]);
  });

  test("does not look up an IP address", async () => {
    const lookup = resolverOf({});
    const guard = new AddressGuard({ lookup });
    assert.deepEqual(await guard.resolve("93.184.216.34"), [{ address: "93.184.216.34", family: 4 }]);
    assert.equal((await guard.check("https://[2606:2800:220:1::1]:8443/hook")).port, "8443");
    await assert.rejects(guard.resolve("127.0.0.1"), isRefusal("private-address", "127.0.0.1不是公网地址"));
    await assert.rejects(guard.check("https://0x7f.1/"), isRefusal("private-address"));
    await assert.rejects(guard.check("https://[::ffff:93.184.216.34]/"), isRefusal("private-address"));
    assert.deepEqual(lookup.asked, []);
  });

  test("refuses a name if one of its addresses is not public, and writes that address to the log only", async () => {
    const lookup = resolverOf({
      "mixed.test": ["93.184.216.34", "10.0.0.1"],
      "odd.test": ["93.184.216.34", "fe80::1%2"],
    });
    const guard = new AddressGuard({ lookup });
    const refused: unknown = await guard.resolve("mixed.test").catch((error) => error);
    isRefusal("private-address", "域名mixed.test解析到了非公网地址")(refused);
    assert.equal((refused as AddressRefused).reason, "private-address: mixed.test is 10.0.0.1");
    await assert.rejects(guard.check("https://odd.test/"), isRefusal("private-address"));
  });

  test("refuses a name without addresses, or one whose lookup fails", async () => {
    const guard = new AddressGuard({ lookup: resolverOf({ "empty.test": [] }) });
    await assert.rejects(guard.resolve("empty.test"), isRefusal("unresolvable", "域名empty.test无法解析"));
    await assert.rejects(guard.check("https://unknown.test/"), isRefusal("unresolvable"));
  });

  test("refuses this machine's own name, using the system's resolver", async () => {
    for (const host of ["localhost", "LOCALHOST."]) {
      await assert.rejects(new AddressGuard().check(`https://${host}/`), AddressRefused);
    }
  });

  test("looks up each time, but once for concurrent callers", async () => {
    const lookup = resolverOf({ "a.test": ["93.184.216.34"] });
    const guard = new AddressGuard({ lookup });
    await Promise.all([guard.resolve("a.test"), guard.resolve("a.test"), guard.resolve("a.test")]);
    assert.equal(lookup.asked.length, 1);
    await guard.resolve("a.test");
    assert.equal(lookup.asked.length, 2);
  });

  test("looks up one new name at a time, and two that were fast before", async () => {
    let running = 0;
    let most = 0;
    const lookup = async () => {
      most = Math.max(most, ++running);
      await sleep(2);
      running--;
      return SOMEWHERE;
    };
    const guard = new AddressGuard({ lookup });
    const resolveAll = () => Promise.all(Array.from({ length: 30 }, (_, n) => guard.resolve(`${n}.test`)));
    await resolveAll();
    assert.equal(most, 1);
    await resolveAll();
    assert.equal(most, 2);
  });

  test("queues a hundred new names and refuses more, but none that was fast before", async () => {
    const { guard, release } = guardWithHanging(/^(?!known)/);
    await guard.resolve("known.test");
    const waiting = Array.from({ length: 101 }, (_, n) => guard.resolve(`${n}.test`));
    await assert.rejects(guard.resolve("more.test"), isRefusal("lookups-busy"));
    await guard.resolve("known.test");
    const shared = guard.resolve("50.test");
    release();
    assert.equal((await Promise.all([...waiting, shared])).length, 102);
    await guard.resolve("more.test");
  });

  test("gives up at the timeout, in the queue or during the lookup, and leaves the queue", async () => {
    const { guard, asked, release } = guardWithHanging(/^hang/);
    const given = ["hang1.test", "hang2.test", "gone.test"].map((name) => guard.resolve(name, 30));
    const patient = guard.resolve("patient.test", 10_000);
    const message = "域名hang1.test的解析超过30毫秒仍未完成";
    await assert.rejects(given[0] ?? Promise.resolve(), isRefusal("lookup-timeout", message));
    for (const promise of given) await assert.rejects(promise, isRefusal("lookup-timeout"));
    release();
    await patient;
    assert.deepEqual(asked, ["hang1.test", "patient.test"]);
  });

  test("resolves a name that was fast before, however many lookups of new names hang", async () => {
    const { guard, asked, release } = guardWithHanging(/evil/);
    await guard.resolve("known.test");
    for (let n = 0; n < 50; n++) {
      const evil = guard.resolve(`n${n}.evil.test`, 10).catch((error: AddressRefused) => error.code);
      await guard.resolve("known.test", 1_000);
      assert.equal(await evil, "lookup-timeout");
    }
    assert.deepEqual(
      asked.filter((name) => name !== "known.test"),
      ["n0.evil.test"],
    );
    release();
  });

  test("reserves a thread for fast names when one of them hangs once", async () => {
    const { guard, asked, hang, release } = guardWithHanging(/^new/);
    await guard.resolve("known.test");
    await guard.resolve("flapping.test");
    hang(/^new|^flapping/);
    const hanging = guard.resolve("flapping.test", 5_000);
    await sleep(1_100);
    const fresh = guard.resolve("new.test", 5_000);
    await guard.resolve("known.test", 1_000);
    assert.ok(!asked.includes("new.test"), "it must wait");
    release();
    await Promise.all([hanging, fresh]);
  });

  test("does not trust a slow name after a single fast lookup", async () => {
    const { guard, hang, release } = guardWithHanging(/^$/);
    await guard.resolve("known.test");
    await guard.resolve("flapping.test");
    hang(/^flapping/);
    const slow = guard.resolve("flapping.test", 5_000);
    await sleep(1_100);
    release();
    await slow;
    await guard.resolve("flapping.test", 1_000);

    hang(/^flapping|^new/);
    const hanging = ["new.test", "flapping.test"].map((name) => guard.resolve(name, 5_000));
    await guard.resolve("known.test", 1_000);
    release();
    await Promise.all(hanging);
  });

  test("of names not known to be fast, looks up the slow ones last", async () => {
    const { guard, asked, hang, release } = guardWithHanging(/^slow/);
    const slow = guard.resolve("slow.test", 5_000);
    await sleep(1_100);
    release();
    await slow;
    hang(/^first/);
    const later = ["first.test", "slow.test", "second.test"].map((name) => guard.resolve(name, 5_000));
    release();
    await Promise.all(later);
    assert.deepEqual(asked, ["slow.test", "first.test", "second.test", "slow.test"]);
  });

  test("does not count a fast failure as a fast name", async () => {
    const { lookup, release } = guardWithHanging(/^hang/);
    const unknown = { current: true };
    const guard = new AddressGuard({
      lookup: async (name) => {
        if (name === "failing.test" && unknown.current) throw new Error("unknown");
        return await lookup(name);
      },
    });
    await assert.rejects(guard.resolve("failing.test"), isRefusal("unresolvable"));
    unknown.current = false;
    const hanging = guard.resolve("hang.test", 5_000);
    await assert.rejects(guard.resolve("failing.test", 50), isRefusal("lookup-timeout"));
    release();
    await hanging;
  });
});

const SOMEWHERE = [{ address: "93.184.216.34", family: 4 }];

/** A guard whose resolver does not answer for some names until it is released. */
function guardWithHanging(names: RegExp) {
  let hanging = names;
  let resolver = Promise.withResolvers<void>();
  const asked: string[] = [];
  const lookup = async (hostname: string) => {
    asked.push(hostname);
    if (hanging.test(hostname)) await resolver.promise;
    return SOMEWHERE;
  };
  return {
    guard: new AddressGuard({ lookup }),
    lookup,
    asked,
    /** From now on, does not answer for these names until it is released again. */
    hang(others: RegExp) {
      hanging = others;
      resolver = Promise.withResolvers();
    },
    release() {
      resolver.resolve();
    },
  };
}

function isRefusal(code: string, message?: string) {
  return (error: unknown) => {
    assert.ok(error instanceof AddressRefused, String(error));
    assert.equal(error.code, code);
    const words = wordsOfRefusal(error);
    assert.match(words, /\p{Script=Han}/u);
    if (message !== undefined) assert.equal(words, message);
    assert.doesNotMatch(error.message, /\d\.\d/, "only the reason, which is for the log, names addresses");
    return true;
  };
}

/** The first and the last address of a block, as numbers. */
function rangeOf(block: string): [bigint, bigint] {
  const [address = "", bits = ""] = block.split("/");
  const size = 2n ** BigInt((isIPv6(address) ? 128 : 32) - Number(bits));
  return [numberOf(address), numberOf(address) + size - 1n];
}

function numberOf(address: string): bigint {
  if (!isIPv6(address)) return address.split(".").reduce((number, part) => number * 256n + BigInt(part), 0n);
  const [head = [], tail] = address.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const groups = tail === undefined ? head : [...head, ...Array(8 - head.length - tail.length).fill("0"), ...tail];
  return groups.reduce((number: bigint, group: string) => number * 65_536n + BigInt(`0x${group}`), 0n);
}

function format(value: bigint, family: 4 | 6): string {
  const digits = value.toString(16).padStart(family === 4 ? 8 : 32, "0");
  const groups = digits.match(family === 4 ? /../g : /..../g) ?? [];
  return family === 4 ? groups.map((group) => Number.parseInt(group, 16)).join(".") : groups.join(":");
}
