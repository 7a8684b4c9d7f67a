import { isIP } from "node:net";
import { type ConsoleErrorCode, fault, type Stated, wordsOf } from "@portico/protocol";
import ipaddr from "ipaddr.js";
import { isInSome, type Network, parseNetwork } from "../config/networks.ts";
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

/** A callback address that must not be called. */
export class AddressRefused extends Error {
  readonly code: RefusalCode;
  /** The error that the console shows to whoever enters the address. */
  readonly stated: Stated<ConsoleErrorCode>;
  /**
   * For the log only. It may contain addresses, which would reveal the operator's own DNS to whoever chose the host
   * name.
   */
  readonly reason: string;

  /** @param options.message a sentence for the receiver's developer, when it differs from the console's message. */
  constructor(
    code: RefusalCode,
    stated: Stated<ConsoleErrorCode>,
    reason: string = code,
    { message = wordsOf(stated).message, ...options }: ErrorOptions & { message?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    this.stated = stated;
    this.reason = reason;
  }
}

const MAX_URL_LENGTH = 2_048;
/** C0 and C1 controls, space and DEL: the URL standard would silently trim or drop some of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_OR_SPACE = /[\u0000-\u0020\u007f-\u009f]/;
/** The URL standard would read backslashes as slashes, and accept any number of both; no person means that. */
const HTTPS_AUTHORITY = /^https:\/\/([^/\\?#]+)/i;

/**
 * Parses a callback address by the WHATWG URL standard, so that every spelling of an IP address (0x7f.1, 2130706433,
 * full-width digits) is normalised in `hostname`.
 *
 * @throws AddressRefused unless it is an https URL without credentials of at most 2048 characters.
 */
export function parseCallbackUrl(text: string): URL {
  if (text.length > MAX_URL_LENGTH)
    throw new AddressRefused("too-long", fault("CALLBACK_TOO_LONG", { max: MAX_URL_LENGTH }));
  const url = CONTROL_OR_SPACE.test(text) ? null : URL.parse(text);
  if (url === null) throw malformed();
  if (url.protocol !== "https:") throw new AddressRefused("not-https", "CALLBACK_NOT_HTTPS");
  const authority = HTTPS_AUTHORITY.exec(text)?.[1];
  if (authority === undefined) throw malformed();
  // Checked in the text, because a parsed URL does not show an empty user name.
  if (authority.includes("@")) throw new AddressRefused("credentials-in-url", "CALLBACK_HAS_CREDENTIALS");
  return url;
}

/** The host of a parsed URL as resolvers and sockets expect it: an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  const { hostname } = url;
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/**
 * Whether a delivery may go to `address`: it is on the public Internet, or in one of the `allowed` networks. An allowed
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
  /** Allowed networks in CIDR notation: `webhook.allowNetworks` of the configuration. */
  allowNetworks?: readonly string[];
  /** Default: the system's resolver. */
  lookup?: Lookup;
  /** The default time limit of a lookup, in milliseconds. */
  lookupTimeoutMs?: number;
}

/** Decides which hosts may be called, and at which addresses (docs/contract/events.md#addresses). */
export class AddressGuard {
  readonly #allowed: readonly Network[];
  readonly #lookups: Lookups;
  readonly #lookupTimeoutMs: number;

  /** @throws Error when one of `allowNetworks` is not in CIDR notation. */
  constructor({ allowNetworks = [], lookup = systemLookup, lookupTimeoutMs = 3_000 }: AddressGuardOptions = {}) {
    this.#allowed = allowNetworks.map(parseNetwork);
    this.#lookups = new Lookups(lookup);
    this.#lookupTimeoutMs = lookupTimeoutMs;
  }

  /**
   * Checks a callback address when it is entered. A delivery must resolve the host again.
   *
   * @throws AddressRefused
   */
  async check(text: string): Promise<URL> {
    const url = parseCallbackUrl(text);
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
      const isTimeout = cause.code === "lookup-timeout";
      const stated = isTimeout
        ? fault("CALLBACK_LOOKUP_TIMED_OUT", { host: hostname, timeoutMs })
        : fault("CALLBACK_LOOKUPS_BUSY", { host: hostname });
      // The console's message says to try again later; a delivery is retried by the service.
      const message = isTimeout
        ? `域名${hostname}的解析超过${timeoutMs}毫秒仍未完成`
        : `等待解析的域名过多,${hostname}的解析未能开始`;
      throw new AddressRefused(cause.code, stated, `${cause.code}: ${hostname}`, { message, cause });
    }
  }
}

function malformed(): AddressRefused {
  return new AddressRefused("malformed", "CALLBACK_MALFORMED");
}

function unresolvable(hostname: string, cause?: unknown): AddressRefused {
  return new AddressRefused(
    "unresolvable",
    fault("CALLBACK_UNRESOLVABLE", { host: hostname }),
    `unresolvable: ${hostname}`,
    { cause },
  );
}

function notPublic(hostname: string, address: string): AddressRefused {
  const isLiteral = isIP(hostname) !== 0;
  const stated = fault(isLiteral ? "CALLBACK_ADDRESS_NOT_PUBLIC" : "CALLBACK_NAME_NOT_PUBLIC", { host: hostname });
  return new AddressRefused("private-address", stated, `private-address: ${hostname} is ${address}`);
}
