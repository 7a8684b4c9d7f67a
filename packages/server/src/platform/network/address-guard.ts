import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { isInSome, type Network, parseNetwork } from "../config/networks.ts";
import { growingLru } from "../limits/growing-lru.ts";
import { type Address, type Lookup, LookupLimitError, Lookups, systemLookup } from "./lookups.ts";
import { isGloballyRoutable } from "./special-networks.ts";

/** Why an address is refused. */
export type RefusalCode =
  | "too-long"
  | "malformed"
  | "not-https"
  | "credentials-in-url"
  | "private-address"
  | "unresolvable"
  | "lookup-timeout"
  | "lookups-busy";

/** An address that must not be called, or of which that cannot be told now. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
  readonly code: RefusalCode;
  /** The host in it, as far as it was read; an IPv6 address without brackets. */
  readonly host: string;
  /** For a lookup that took too long: its time limit. */
  readonly timeoutMs: number;
  /** For the log only. It may contain addresses, which would reveal the operator's own DNS to whoever chose the host. */
  readonly reason: string;

  constructor(
    code: RefusalCode,
    { host = "", timeoutMs = 0, reason = code, cause }: Partial<Refused> & { cause?: unknown } = {},
  ) {
    super(`the address is refused: ${code}`, { cause });
    this.code = code;
    this.host = host;
    this.timeoutMs = timeoutMs;
    this.reason = reason;
  }
}

type Refused = Pick<AddressRefused, "host" | "timeoutMs" | "reason">;

/** In characters. */
export const MAX_URL_LENGTH = 2_048;
/** The most parsed addresses that are kept, of 2 KB at most each. */
const MAX_PARSED = 500;
/** C0 and C1 controls, space and DEL: the URL standard would silently trim or drop some of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_OR_SPACE = /[\u0000-\u0020\u007f-\u009f]/;
/** The URL standard would read backslashes as slashes, and accept any number of both; no person means that. */
const AUTHORITY = /^https?:\/\/([^/\\?#]+)/i;
/** The hosts that stand for this machine. Other names that resolve to it do not: anybody can make one. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);
const LOOPBACK_NETWORKS = ["127.0.0.0/8", "::1/128"];
/** What a person who names them means by their own machine. */
const HERE = [...LOOPBACK_NETWORKS, "0.0.0.0/32", "::/128"].map(parseNetwork);

/**
 * Parses an https address by the WHATWG URL standard, so that every spelling of an IP address (0x7f.1, 2130706433,
 * full-width digits) is normalised in `hostname`.
 *
 * @param allowLoopback whether http to this machine is as good.
 * @throws AddressRefused unless it is an https URL without credentials of at most 2048 characters.
 */
export function parseHttpsUrl(text: string, { allowLoopback = false } = {}): URL {
  if (text.length > MAX_URL_LENGTH) throw new AddressRefused("too-long");
  const url = CONTROL_OR_SPACE.test(text) ? null : URL.parse(text);
  if (url === null) throw new AddressRefused("malformed");
  const isLocal = allowLoopback && url.protocol === "http:" && LOOPBACK_HOSTS.has(hostOf(url));
  if (url.protocol !== "https:" && !isLocal) throw new AddressRefused("not-https");
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority === undefined) throw new AddressRefused("malformed");
  // Checked in the text, because a parsed URL does not show an empty user name.
  if (authority.includes("@")) throw new AddressRefused("credentials-in-url");
  return url;
}

/** The host of an address that means the machine of whoever reads it, however it is spelled; null for any other address. */
export function loopbackHostOf(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const host = hostOf(url);
  const isName = host === "localhost" || host.endsWith(".localhost");
  return isName || (isIP(host) !== 0 && isInSome(ipaddr.parse(host), HERE)) ? host : null;
}

/** The host of a parsed URL as resolvers and sockets expect it: an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  const { hostname } = url;
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/**
 * Whether `address` may be called: it is on the public Internet, or in one of the `allowed` networks. An allowed
 * network applies to its own family only: IPv4 addresses embedded in IPv6 (mapped, compatible, NAT64, 6to4, Teredo)
 * have no legitimate use here, so 10.0.0.0/8 does not allow ::ffff:10.0.0.1. Addresses with a zone (fe80::1%eth0) are
 * never allowed.
 */
export function isPublicAddress(address: string, allowed: readonly Network[] = []): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  return isGloballyRoutable(parsed) || isInSome(parsed, allowed);
}

export interface AddressGuardOptions {
  /** Networks in CIDR notation that may be called beside the public Internet. */
  allowNetworks?: readonly string[];
  /** Whether this machine may be called by its own names, also by http. Default: no. */
  allowLoopback?: boolean;
  /** Default: the system's resolver. */
  lookup?: Lookup;
  /** The default time limit of a lookup, in milliseconds. */
  lookupTimeoutMs?: number;
}

/** Decides which hosts may be called, and at which addresses (docs/contract/events.md#addresses). */
export class AddressGuard {
  readonly #allowed: readonly Network[];
  readonly #allowedHere: readonly Network[];
  readonly #allowLoopback: boolean;
  readonly #lookups: Lookups;
  readonly #lookupTimeoutMs: number;
  /** Addresses that were parsed, since the same ones are called again and again. */
  readonly #parsed = growingLru<URL>(MAX_PARSED);

  /** @throws Error when one of `allowNetworks` is not in CIDR notation. */
  constructor({
    allowNetworks = [],
    allowLoopback = false,
    lookup = systemLookup,
    lookupTimeoutMs = 3_000,
  }: AddressGuardOptions = {}) {
    this.#allowed = allowNetworks.map(parseNetwork);
    this.#allowedHere = [...allowNetworks, ...LOOPBACK_NETWORKS].map(parseNetwork);
    this.#allowLoopback = allowLoopback;
    this.#lookups = new Lookups(lookup);
    this.#lookupTimeoutMs = lookupTimeoutMs;
  }

  /**
   * Parses an address without looking its host up: {@link parseHttpsUrl}. The result is shared: do not change it.
   *
   * @throws AddressRefused
   */
  parse(text: string): Readonly<URL> {
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    const url = parseHttpsUrl(text, { allowLoopback: this.#allowLoopback });
    this.#parsed.set(text, url);
    return url;
  }

  /**
   * Checks an address when it is entered. Whoever calls it later must resolve the host again.
   *
   * @throws AddressRefused
   */
  async check(text: string): Promise<Readonly<URL>> {
    const url = this.parse(text);
    await this.resolve(hostOf(url));
    return url;
  }

  /**
   * The addresses of `hostname` (a name, or an IP address without brackets) in the resolver's order; at least one, and
   * all of them allowed. An IP address is not looked up.
   *
   * @throws AddressRefused when one of them is not allowed, or the lookup does not end within `timeoutMs`.
   */
  async resolve(hostname: string, timeoutMs: number = this.#lookupTimeoutMs): Promise<Address[]> {
    const family = isIP(hostname);
    const found = family === 0 ? await this.#lookUp(hostname, timeoutMs) : [{ address: hostname, family }];
    if (found.length === 0) throw unresolvable(hostname);
    const allowed = this.#allowLoopback && LOOPBACK_HOSTS.has(hostname) ? this.#allowedHere : this.#allowed;
    const addresses = new Map<string, Address>();
    for (const { address } of found) {
      if (!isPublicAddress(address, allowed)) throw notPublic(hostname, address);
      addresses.set(address, { address, family: isIP(address) });
    }
    return [...addresses.values()];
  }

  async #lookUp(hostname: string, timeoutMs: number): Promise<readonly Address[]> {
    try {
      return await this.#lookups.resolve(hostname, timeoutMs);
    } catch (cause) {
      if (!(cause instanceof LookupLimitError)) throw unresolvable(hostname, cause);
      const { code } = cause;
      throw new AddressRefused(code, { host: hostname, timeoutMs, reason: `${code}: ${hostname}`, cause });
    }
  }
}

function unresolvable(host: string, cause?: unknown): AddressRefused {
  return new AddressRefused("unresolvable", { host, reason: `unresolvable: ${host}`, cause });
}

function notPublic(host: string, address: string): AddressRefused {
  return new AddressRefused("private-address", { host, reason: `private-address: ${host} is ${address}` });
}
