import { isIP } from "node:net";
import { type ConsoleErrorCode, fault, type Stated, wordsOf } from "@portico/protocol";
import ipaddr from "ipaddr.js";
import { isInSome, type Network, parseNetwork } from "../../../platform/config/networks.ts";
import { type Address, type Lookup, LookupLimitError, Lookups, systemLookup } from "./lookups.ts";
import { isGloballyRoutable } from "./special-networks.ts";

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

/** A callback address that must not be called. */
export class AddressRefused extends Error {
  readonly code: RefusalCode;
  /** What is said to whoever enters the address in the console. */
  readonly stated: Stated<ConsoleErrorCode>;
  /** For the log alone: it may name addresses, which tell whoever chose a host name what the operator's own DNS knows. */
  readonly reason: string;

  /** @param options.message a sentence for whoever looks after the receiver, where it is not what the console says. */
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
/** C0 and C1 controls, space and DEL: the URL standard would trim or drop some of them in silence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_OR_SPACE = /[\u0000-\u0020\u007f-\u009f]/;
/** The URL standard would take backslashes for slashes, and any number of either; no person means that. */
const HTTPS_AUTHORITY = /^https:\/\/([^/\\?#]+)/i;

/**
 * Reads a callback address as the WHATWG URL standard does, so every spelling of an IP address (0x7f.1, 2130706433,
 * full-width digits) ends up in its usual form in `hostname`.
 *
 * @throws AddressRefused when it is no https URL without credentials of at most 2048 characters.
 */
export function parseCallbackUrl(text: string): URL {
  if (text.length > MAX_URL_LENGTH)
    throw new AddressRefused("too-long", fault("CALLBACK_TOO_LONG", { max: MAX_URL_LENGTH }));
  const url = CONTROL_OR_SPACE.test(text) ? null : URL.parse(text);
  if (url === null) throw malformed();
  if (url.protocol !== "https:") throw new AddressRefused("not-https", "CALLBACK_NOT_HTTPS");
  const authority = HTTPS_AUTHORITY.exec(text)?.[1];
  if (authority === undefined) throw malformed();
  // Looked for in the text, for a parsed URL does not show an empty user name.
  if (authority.includes("@")) throw new AddressRefused("credentials-in-url", "CALLBACK_HAS_CREDENTIALS");
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

/** Decides which hosts may be called, and under which addresses (docs/contract/events.md#addresses). */
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
      const isTimeout = cause.code === "lookup-timeout";
      const stated = isTimeout
        ? fault("CALLBACK_LOOKUP_TIMED_OUT", { host: hostname, timeoutMs })
        : fault("CALLBACK_LOOKUPS_BUSY", { host: hostname });
      // Who looks at a delivery need not come again later: the service does.
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
