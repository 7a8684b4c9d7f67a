/**
 * A process that must be started in a new network namespace. There it assigns itself public addresses, listens on them,
 * and calls them with an address guard without exceptions. It prints as JSON the result of each call and the number of
 * connections at each receiver.
 */
import { execFileSync } from "node:child_process";
import { networkInterfaces } from "node:os";
import { Attempts } from "../../src/domain/webhooks/attempts/attempt.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { AddressGuard } from "../../src/platform/network/address-guard.ts";
import type { Lookup } from "../../src/platform/network/lookups.ts";
import { TEST_CA } from "./certificates.ts";
import { type Receiver, resolverOf, startReceiver } from "./receiver.ts";

const PUBLIC_IPV4 = "93.184.216.34";
const PUBLIC_IPV6 = "2606:2800:220:1::1";
/** An address whose packets are dropped. */
const SILENT = "93.184.216.99";
/** An address without a route. */
const UNREACHABLE = "93.184.217.1";
const CONNECT_TIMEOUT_MS = 1_000;

// In a new namespace not even the loopback interface is up. Anywhere else, the addresses below belong to strangers.
if (Object.keys(networkInterfaces()).length > 0) throw new Error("this is no new network namespace");

const ip = (...args: string[]) => void execFileSync("ip", args);
ip("link", "set", "lo", "up");
ip("addr", "add", `${PUBLIC_IPV4}/32`, "dev", "lo");
ip("addr", "add", "10.0.0.1/32", "dev", "lo");
ip("-6", "addr", "add", `${PUBLIC_IPV6}/128`, "dev", "lo", "nodad");
// Packets to it return at once, match no local address, and are dropped.
ip("route", "add", `${SILENT}/32`, "dev", "lo");

const receivers: Record<string, Receiver> = {};
for (const host of [PUBLIC_IPV4, PUBLIC_IPV6, "127.0.0.1", "::1", "10.0.0.1"])
  receivers[host] = await startReceiver({ host });

/** The result of one call, and the receivers that it reached. */
async function call(lookup: Lookup, port: number, host = "receiver.test") {
  const attempts = new Attempts({
    guard: new AddressGuard({ lookup }),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    readTimeoutMs: 10_000,
    clock: systemClock,
    tls: { ca: TEST_CA },
  });
  const { status, reason, address, detail, durationMs } = await attempts.run({
    pool: "app_1",
    url: `https://${host}:${port}/hook`,
    body: Buffer.from("{}"),
    headers: () => ({}),
  });
  attempts.close();
  return { status, reason, address, detail, durationMs };
}
const to = (...addresses: string[]) => resolverOf({ "receiver.test": addresses });
const portOn = (host: string) => receivers[host]?.port ?? 0;

const results = {
  ipv4: await call(to(PUBLIC_IPV4), portOn(PUBLIC_IPV4)),
  ipv6: await call(to(PUBLIC_IPV6), portOn(PUBLIC_IPV6)),
  ipv4Literal: await call(to(), portOn(PUBLIC_IPV4), PUBLIC_IPV4),
  ipv6Literal: await call(to(), portOn(PUBLIC_IPV6), `[${PUBLIC_IPV6}]`),
  secondAddress: await call(to(SILENT, PUBLIC_IPV4), portOn(PUBLIC_IPV4)),
  silent: await call(to(SILENT), 443),
  unreachable: await call(to(UNREACHABLE), 443),
  loopback: await call(to("127.0.0.1"), portOn("127.0.0.1")),
  loopbackIpv6: await call(to("::1"), portOn("::1")),
  private: await call(to("10.0.0.1"), portOn("10.0.0.1")),
  privateLiteral: await call(to(), portOn("10.0.0.1"), "10.0.0.1"),
  mixed: await call(to(PUBLIC_IPV4, "10.0.0.1"), portOn("10.0.0.1")),
  mapped: await call(to(`::ffff:${PUBLIC_IPV4}`), portOn(PUBLIC_IPV4)),
};
const requests = Object.fromEntries(Object.entries(receivers).map(([host, { requests }]) => [host, requests.length]));
const connections = Object.fromEntries(
  Object.entries(receivers).map(([host, { connections }]) => [host, connections.total]),
);
for (const receiver of Object.values(receivers)) await receiver.stop();
console.log(JSON.stringify({ results, requests, connections }));
