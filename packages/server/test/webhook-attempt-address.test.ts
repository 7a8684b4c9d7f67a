import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { AttemptResult } from "../src/domain/webhooks/attempts/attempt-result.ts";
import { AddressGuard } from "../src/platform/network/address-guard.ts";
import { portOf, resolverOf } from "./support/receiver.ts";
import { attempt, attemptsFor, receiverFor } from "./support/receiver-attempts.ts";

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(`./support/${name}.ts`, import.meta.url));

describe("the address of a delivery attempt", () => {
  const onLinux = process.platform === "linux" ? {} : { skip: "only Linux has all of 127.0.0.0/8" };

  test("is the checked one, from the only look-up", onLinux, async (t) => {
    const receiver = await receiverFor(t, { host: "0.0.0.0" });
    const lookup = resolverOf({ "receiver.test": ["127.0.0.2"] });
    const result = await attempt(attemptsFor(t, { lookup }), receiver.url());
    assert.equal(result.status, 200, result.detail ?? "");
    assert.equal(result.address, "127.0.0.2");
    assert.equal(receiver.requests[0]?.localAddress, "127.0.0.2");
    assert.deepEqual(lookup.asked, ["receiver.test"]);
  });

  test("is not looked up again: a name that has changed since has no effect", onLinux, async (t) => {
    const receiver = await receiverFor(t, { host: "0.0.0.0" });
    let asked = 0;
    const lookup = async () => [{ address: asked++ === 0 ? "127.0.0.2" : "127.0.0.3", family: 4 }];
    const attempts = attemptsFor(t, { lookup });
    for (let n = 0; n < 3; n++) assert.equal((await attempt(attempts, receiver.url())).address, "127.0.0.2");
    receiver.closeConnections();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await attempt(attempts, receiver.url())).address, "127.0.0.3");
    assert.deepEqual(
      receiver.requests.map(({ localAddress }) => localAddress),
      ["127.0.0.2", "127.0.0.2", "127.0.0.2", "127.0.0.3"],
    );
    assert.equal(asked, 2);
  });

  test("is checked again at each connection: a name that was public earlier may no longer be", async (t) => {
    const receiver = await receiverFor(t);
    let asked = 0;
    const lookup = async () => [{ address: asked++ === 0 ? "93.184.216.34" : "127.0.0.1", family: 4 }];
    const guard = new AddressGuard({ lookup });
    await guard.check(receiver.url());
    const result = await attempt(attemptsFor(t, { lookup, allowNetworks: [] }), receiver.url());
    assert.equal(result.reason, "refused-address:private-address");
    assert.equal(result.detail, "域名receiver.test解析到了非公网地址");
    assert.equal(receiver.connections.total, 0);
  });

  test("does not exist when one of several is not public", async (t) => {
    const receiver = await receiverFor(t);
    const lookup = resolverOf({ "receiver.test": ["127.0.0.1", "10.0.0.1"] });
    const result = await attempt(attemptsFor(t, { lookup }), receiver.url());
    assert.deepEqual([result.reason, result.address], ["refused-address:private-address", null]);
    assert.equal(receiver.connections.total, 0);
  });

  test("is the next one when one refuses the connection", onLinux, async (t) => {
    const receiver = await receiverFor(t, { host: "127.0.0.2" });
    const lookup = resolverOf({ "receiver.test": ["127.0.0.3", "127.0.0.4", "127.0.0.2"] });
    const result = await attempt(attemptsFor(t, { lookup }), receiver.url());
    assert.deepEqual([result.status, result.address], [200, "127.0.0.2"]);
    assert.equal(lookup.asked.length, 1);
  });

  test("does not exist for a URL that is invalid by itself", async (t) => {
    const receiver = await receiverFor(t);
    const attempts = attemptsFor(t);
    const urls: Record<string, string> = {
      [receiver.url().replace("https:", "http:")]: "refused-address:not-https",
      [receiver.url().replace("//", "//user:pass@")]: "refused-address:credentials-in-url",
      "https://": "refused-address:malformed",
      "https://10.0.0.1/": "refused-address:private-address",
      "https://[::ffff:127.0.0.1]/": "refused-address:private-address",
    };
    for (const [url, reason] of Object.entries(urls)) assert.equal((await attempt(attempts, url)).reason, reason, url);
    assert.equal(receiver.connections.total, 0);
  });
});

describe("the environment of the process", () => {
  test("its proxies are not used, and it cannot switch off verification", async (t) => {
    const receiver = await receiverFor(t);
    const selfSigned = await receiverFor(t, { certificate: "selfSigned" });
    let proxied = 0;
    const proxy = createServer((socket) => {
      proxied++;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    t.after(() => proxy.close());
    const address = `http://127.0.0.1:${portOf(proxy)}`;
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    const env = {
      PATH: process.env.PATH,
      NODE_USE_ENV_PROXY: "1",
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      NODE_NO_WARNINGS: "1",
      UNDICI_USE_MILO: "1",
      ...Object.fromEntries(names.map((name) => [name, address])),
    };
    const { stdout } = await run(process.execPath, [script("receiver-call"), receiver.url(), selfSigned.url()], {
      env,
    });
    const [trusted, untrusted]: AttemptResult[] = JSON.parse(stdout);
    assert.deepEqual([trusted?.status, trusted?.address], [200, "127.0.0.1"]);
    assert.equal(untrusted?.reason, "tls");
    assert.equal(proxied, 0);
    assert.equal(receiver.requests.length, 1);
    assert.equal(selfSigned.requests.length, 0);
  });
});

describe("public addresses, in a separate network", () => {
  const unshare = unshareArguments();
  if (typeof unshare === "string") {
    test("a network namespace", { skip: unshare }, () => {});
    return;
  }

  test("are called without any exemption, and no others are", async () => {
    const { stdout } = await run("unshare", [...unshare, process.execPath, script("receiver-namespace")]);
    const { results, requests, connections } = JSON.parse(stdout);
    const outcomes = Object.entries<AttemptResult>(results).map(([name, { status, reason, address }]) => [
      name,
      status ?? reason,
      address,
    ]);
    const refused = "refused-address:private-address";
    assert.deepEqual(outcomes, [
      ["ipv4", 200, "93.184.216.34"],
      ["ipv6", 200, "2606:2800:220:1::1"],
      ["ipv4Literal", 200, "93.184.216.34"],
      ["ipv6Literal", 200, "2606:2800:220:1::1"],
      ["secondAddress", 200, "93.184.216.34"],
      ["silent", "connect-timeout", "93.184.216.99"],
      ["unreachable", "unreachable", "93.184.217.1"],
      ["loopback", refused, null],
      ["loopbackIpv6", refused, null],
      ["private", refused, null],
      ["privateLiteral", refused, null],
      ["mixed", refused, null],
      ["mapped", refused, null],
    ]);
    assert.ok(results.silent.durationMs >= 995 && results.silent.durationMs < 3_000, results.silent.durationMs);
    assert.equal(results.silent.detail, "The connection was not established within 1000 ms.");
    assert.ok(results.secondAddress.durationMs >= 495 && results.secondAddress.durationMs < 3_000);
    const seen = { "93.184.216.34": 3, "2606:2800:220:1::1": 2, "127.0.0.1": 0, "::1": 0, "10.0.0.1": 0 };
    assert.deepEqual(requests, seen);
    assert.deepEqual(connections, seen);
  });
});

/** The options with which unshare creates a network namespace here, or the reason why it cannot. */
function unshareArguments(): string[] | string {
  if (spawnSync("ip", ["-V"]).status !== 0) return "needs ip (Debian's iproute2)";
  const ways = [["--net"], ["--map-root-user", "--net"]];
  const way = ways.find((args) => spawnSync("unshare", [...args, "ip", "link", "set", "lo", "up"]).status === 0);
  return way ?? "needs the right to make network namespaces (root, or unprivileged user namespaces)";
}
