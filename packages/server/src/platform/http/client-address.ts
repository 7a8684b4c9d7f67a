import type { IncomingMessage } from "node:http";
import { isIP, isIPv4, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import ipaddr from "ipaddr.js";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { type IpAddress, isInSome, type Network, proxyNetwork } from "../config/networks.ts";

/** The most proxies in a row that are trusted. */
const MAX_HOPS = 32;
/** The longest entry that can be an address: IPv6 with a zone, brackets and a port. */
const MAX_ENTRY_LENGTH = 128;

declare module "fastify" {
  interface FastifyRequest {
    /**
     * The normalised network address of the client: the peer's, or the one that trusted proxies report. Empty when the
     * connection was closed before it was read.
     */
    clientAddress: string;
  }
}

/** Sets `clientAddress` on every request. Must be registered before everything that uses the address. */
export function identifyClients(server: FastifyInstance, { config, log }: { config: Config; log: Logger }): void {
  const trusted = config.trustedProxies.map(proxyNetwork);
  let hinted = false;
  server.decorateRequest("clientAddress", "");
  server.addHook("onRequest", (request, _reply, done) => {
    const forwardedFor = forwardedForOf(request.raw);
    const { remoteAddress = "" } = request.raw.socket;
    request.clientAddress = clientAddress(remoteAddress, forwardedFor, trusted);
    if (forwardedFor !== "" && !hinted && !isTrusted(remoteAddress, trusted)) {
      hinted = true;
      log.warn(
        { peer: remoteAddress },
        "a request with X-Forwarded-For came from an address that PORTICO_TRUSTED_PROXIES does not list, so the header " +
          "was not believed; if that is your proxy, list it. This is said once",
      );
    }
    done();
  });
}

/** Tells whether a request comes straight from one of `trustedProxies`, so that what it says of its caller is believed. */
export function trustedPeers({
  trustedProxies,
}: Pick<Config, "trustedProxies">): (request: IncomingMessage) => boolean {
  const trusted = trustedProxies.map(proxyNetwork);
  return ({ socket }) => trusted.length > 0 && isTrusted(socket.remoteAddress ?? "", trusted);
}

/** All lines of the header joined, as Node does it. */
function forwardedForOf({ headers }: IncomingMessage): string {
  const value = headers["x-forwarded-for"] ?? "";
  return typeof value === "string" ? value : value.join(",");
}

/**
 * The address of the client: `peer`, unless that is a trusted proxy. Each proxy appends the address from which it
 * received the request, so the header is trusted from its end up to the first address that is not trusted, or the first
 * entry that is not an address. Anybody may have written what comes before.
 *
 * @param peer the address at the other end of the connection; empty when it is unknown.
 * @param forwardedFor the X-Forwarded-For header; empty when there is none.
 */
export function clientAddress(peer: string, forwardedFor: string, trusted: readonly Network[]): string {
  if (trusted.length === 0 && isIPv4(peer)) return peer;
  let client = parseAddress(peer);
  if (client === null) return "";
  let end = forwardedFor === "" ? -1 : forwardedFor.length;
  for (let hop = 0; hop < MAX_HOPS && end >= 0 && isInSome(client, trusted); hop++) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(",", end - 1);
    const before = entryAddress(forwardedFor.slice(comma + 1, end));
    if (before === null) break;
    client = before;
    end = comma;
  }
  return client.toString();
}

/**
 * The part of an address that identifies one caller: a whole IPv4 address (also an IPv4-mapped one), or the first 64
 * bits of an IPv6 address, because one host usually has a whole /64 (RFC 4291, section 2.5.4).
 */
export function addressBlock(address: string): string {
  return blockOf(address, 4);
}

/**
 * The part of an address that identifies one site: a whole IPv4 address, or the first 48 bits of an IPv6 address, which one
 * customer may have to themselves (RFC 6177).
 */
export function addressSite(address: string): string {
  return blockOf(address, 3);
}

/** @param parts of 16 bits, of an IPv6 address. */
function blockOf(address: string, parts: number): string {
  // A shortcut, because this runs for every call and most addresses are IPv4.
  if (!address.includes(":") || !isIPv6(address)) return address;
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return String(parsed);
  const kept = parsed.parts.map((part, index) => (index < parts ? part : 0));
  return `${new ipaddr.IPv6(kept)}/${16 * parts}`;
}

function isTrusted(peer: string, trusted: readonly Network[]): boolean {
  const address = parseAddress(peer);
  return address !== null && isInSome(address, trusted);
}

/** The address in an entry of the header, without port, brackets and zone; null when there is none. */
function entryAddress(entry: string): IpAddress | null {
  if (entry.length > MAX_ENTRY_LENGTH) return null;
  const text = entry.replace(/^[ \t]+|[ \t]+$/g, "");
  const { host, port = "0" } = /^(?<host>\[[^\]]+\]|[\d.]+):(?<port>\d{1,5})$/.exec(text)?.groups ?? { host: text };
  if (host === undefined || Number(port) > 65_535) return null;
  if (!host.startsWith("[")) return parseAddress(host);
  const inner = host.slice(1, -1);
  return host.endsWith("]") && isIPv6(inner) ? parseAddress(inner) : null;
}

/** An address without its zone; an IPv4-mapped one as IPv4. Null when it is invalid. */
function parseAddress(text: string): IpAddress | null {
  const family = isIP(text);
  if (family === 0) return null;
  if (family === 4) return ipaddr.IPv4.parse(text);
  const [zoneless = ""] = text.split("%");
  // Normalised by URL, because ipaddr.js reads ::1.2.3.4 as ::ffff:1.2.3.4.
  const { hostname } = new URL(`http://[${zoneless}]`);
  return ipaddr.process(hostname.slice(1, -1));
}
