import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { type Address, type Lookup, LookupLimitError, Lookups, systemLookup } from "./lookups.ts";
import { isGloballyRoutable, isInSome, type Network, parseNetwork } from "./special-networks.ts";

/** Why an address is refused, for programs. */
export type RefusalCode =
  | "too-long"
  | "malformed"
  | "not-https"
  | "credentials-in-url"
  | "private-address"
  | "unresolvable"
  | "lookup-timeout"
  | "lookups-busy";

/** A callback address that must not be called. The message is a sentence for the person who chose the address. */
export class AddressRefused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const MAX_URL_LENGTH = 2_048;
/** C0 and C1 controls, space and DEL: the URL standard would trim or drop some of them in silence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_OR_SPACE = /[\u0000-\u0020\u007f-\u009f]/;

/**
 * Reads a callback address as the WHATWG URL standard does, so every spelling of an IP address (0x7f.1, 2130706433,
 * full-width digits) ends up in its usual form in `hostname`.
 *
 * @throws AddressRefused when it is no https URL without credentials of at most 2048 characters.
 */
export function parseCallbackUrl(text: string): URL {
  if (text.length > MAX_URL_LENGTH) {
    throw new AddressRefused("too-long", `The callback URL is longer than ${MAX_URL_LENGTH} characters.`);
  }
  const url = CONTROL_OR_SPACE.test(text) ? null : URL.parse(text);
  if (url === null) throw new AddressRefused("malformed", "The callback URL is not a valid URL.");
  if (url.protocol !== "https:") throw new AddressRefused("not-https", "The callback URL must start with https://.");
  if (url.username !== "" || url.password !== "") {
    throw new AddressRefused("credentials-in-url", "The callback URL must not contain a user name or password.");
  }
  return url;
}

/** The host of a parsed URL as the resolver and sockets take it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  const { hostname } = url;
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/**
 * Whether a delivery may go to `address`: it belongs to the public Internet, or to one of `allowed`. An exemption holds
 * for its own family only: IPv4 addresses in IPv6 clothes (mapped, compatible, NAT64, 6to4, Teredo) have no honest use
 * here, so 10.0.0.0/8 does not let ::ffff:10.0.0.1 through. Addresses with a zone (fe80::1%eth0) are never allowed.
 */
export function isPublicAddress(address: string, allowed: readonly Network[] = []): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  return isGloballyRoutable(parsed) || isInSome(parsed, allowed);
}

export interface AddressGuardOptions {
  /** Networks in CIDR notation that are exempt: the configuration's webhook.allowNetworks. */
  allowNetworks?: readonly string[];
  /** Defaults to the system's resolver. */
  lookup?: Lookup;
  /** How long a look-up may take, in milliseconds, for callers that set no limit of their own. */
  lookupTimeoutMs?: number;
}

/** Decides which hosts may be called, and under which addresses (design, section 7, "Address guard"). */
export class AddressGuard {
  readonly #allowed: readonly Network[];
  readonly #lookups: Lookups;
  readonly #lookupTimeoutMs: number;

  /** @throws Error when one of `allowNetworks` is no network. */
  constructor({ allowNetworks = [], lookup = systemLookup, lookupTimeoutMs = 3_000 }: AddressGuardOptions = {}) {
    this.#allowed = allowNetworks.map(parseNetwork);
    this.#lookups = new Lookups(lookup);
    this.#lookupTimeoutMs = lookupTimeoutMs;
  }

  /**
   * Judges a callback address as it stands now, for when a person enters it. A delivery has to resolve the host again.
   *
   * @throws AddressRefused
   */
  async check(text: string): Promise<URL> {
    const url = parseCallbackUrl(text);
    await this.resolve(hostOf(url));
    return url;
  }

  /**
   * The addresses of `hostname` (a name or an IP address without brackets) in the resolver's order, every one of them
   * checked; at least one. An IP address is not looked up.
   *
   * @throws AddressRefused when one of them must not be called, or they are not known within `timeoutMs`.
   */
  async resolve(hostname: string, timeoutMs: number = this.#lookupTimeoutMs): Promise<Address[]> {
    const family = isIP(hostname);
    const found = family === 0 ? await this.#lookUp(hostname, timeoutMs) : [{ address: hostname, family }];
    if (found.length === 0) throw unresolvable(hostname);
    const addresses = new Map<string, Address>();
    for (const { address } of found) {
      if (!isPublicAddress(address, this.#allowed)) throw notPublic(hostname, address);
      addresses.set(address, { address, family: isIP(address) });
    }
    return [...addresses.values()];
  }

  async #lookUp(hostname: string, timeoutMs: number): Promise<readonly Address[]> {
    try {
      return await this.#lookups.resolve(hostname, timeoutMs);
    } catch (cause) {
      if (!(cause instanceof LookupLimitError)) throw unresolvable(hostname, cause);
      const problem = cause.code === "lookup-timeout" ? `took longer than ${timeoutMs} ms` : "could not be started";
      throw new AddressRefused(cause.code, `The look-up of the host ${hostname} ${problem}.`, { cause });
    }
  }
}

function unresolvable(hostname: string, cause?: unknown): AddressRefused {
  return new AddressRefused("unresolvable", `The host ${hostname} has no address.`, { cause });
}

function notPublic(hostname: string, address: string): AddressRefused {
  const where = hostname === address ? "" : ` of the host ${hostname}`;
  return new AddressRefused("private-address", `The address ${address}${where} is not a public one.`);
}
