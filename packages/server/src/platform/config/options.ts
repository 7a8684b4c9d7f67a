import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { parseDuration } from "./duration.ts";
import { proxyNetwork } from "./networks.ts";
import { splitPostgresHosts } from "./postgres-hosts.ts";
import { parseRedisAddress, REDIS_ADDRESSES } from "./redis-address.ts";

/** The type of a configuration key. `read` returns the value, or throws an error that names what was expected. */
export interface Option<Value> {
  /** Describes a valid value, for messages and documentation. */
  expected: string;
  read(raw: string): Value | undefined;
}

const option = <Value>(expected: string, read: Option<Value>["read"]): Option<Value> => ({ expected, read });

/** Types of configuration values. Each parser returns undefined for an invalid text. */
export const text = option("a non-empty text", (raw) => (raw === "" ? undefined : raw));
/** Texts without commas in them. */
export const list = option("texts separated by commas", (raw) => {
  const parts = raw.split(",").map((part) => part.trim());
  return parts.every((part) => part !== "") ? parts : undefined;
});
/** A claim of a token, and what it must hold. */
export const nameAndValue = option("a name and a value, such as groups=portico-operators", (raw) => {
  const { name, value } = /^(?<name>[^=]+)=(?<value>.+)$/s.exec(raw)?.groups ?? {};
  return name === undefined || value === undefined ? undefined : { name, value };
});
/** The scope of an OpenID Connect request (OpenID Connect Core, section 3.1.2.1). */
export const scopes = option("scopes separated by spaces, openid among them", (raw) =>
  raw.split(" ").includes("openid") && /^[!#-[\]-~]+( [!#-[\]-~]+)*$/.test(raw) ? raw : undefined,
);
/** What a Bearer token may consist of (RFC 6750, section 2.1), long enough not to be guessed. */
export const token = option("16 to 512 letters, digits or any of -._~+/=", (raw) =>
  /^[A-Za-z0-9\-._~+/]{16,512}={0,2}$/.test(raw) ? raw : undefined,
);
export const duration = (minMs: number, maxMs: number) =>
  option(`a duration such as 500ms, 10s, 2m or 24h, from ${minMs} ms to ${maxMs} ms`, (raw) => {
    const ms = parseDuration(raw);
    return ms !== null && ms >= minMs && ms <= maxMs ? ms : undefined;
  });
export const integer = (min: number, max: number) =>
  option(`a whole number from ${min} to ${max}`, (raw) => {
    const value = /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
const BYTES_OF = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 };
/** A number of bytes: digits, or digits with a unit (powers of 1024). */
export const bytes = (min: number, max: number) =>
  option(`a number of bytes such as 65536, 512MiB or 10GiB, from ${min} to ${max}`, (raw) => {
    const [, digits = "", unit = "B"] = /^(\d{1,15})(B|KiB|MiB|GiB|TiB)?$/.exec(raw) ?? [];
    const value = digits === "" ? Number.NaN : Number(digits) * BYTES_OF[unit as keyof typeof BYTES_OF];
    return value >= min && value <= max ? value : undefined;
  });
export const oneOf = <const Value extends string>(...values: Value[]) =>
  option(`one of ${values.join(", ")}`, (raw) => values.find((value) => value === raw));
export const url = (...protocols: string[]) =>
  option(`a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`, (raw) =>
    protocols.includes(URL.parse(raw)?.protocol ?? "") ? raw : undefined,
  );
/** The address of a PostgreSQL database, maybe at several hosts. */
export const postgresUrl = option("a URL starting with postgres:// or postgresql://", (raw) =>
  splitPostgresHosts(raw) === undefined ? undefined : raw,
);
/** The address of a Redis deployment. */
export const redisAddress = option(REDIS_ADDRESSES, parseRedisAddress);
/** A 32-byte key: 64 hex digits, base64 or base64url. */
const key32 = option("32 bytes as 64 hex digits or base64", (raw) => {
  if (/^[0-9a-fA-F]{64}$/.test(raw)) return Buffer.from(raw, "hex");
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(raw) ? Buffer.from(raw, "base64") : undefined;
});
/** The most master keys at a time: the current one, and earlier ones that a rotation is not done with. */
export const MOST_KEYS = 4;
/** The current key and the earlier ones after it: each like {@link key32}, separated by white space or commas. */
export const keys32 = option(`${key32.expected}, or up to ${MOST_KEYS} of them, the current one first`, (raw) => {
  const texts = raw.trim().split(/[\s,]+/);
  const keys = texts.map((text) => key32.read(text)).filter((key) => key !== undefined);
  return keys.length === texts.length && keys.length <= MOST_KEYS ? keys : undefined;
});
export const rate = option("a number above 0 and up to 1", (raw) => {
  const value = /^\d(\.\d+)?$/.test(raw) ? Number(raw) : Number.NaN;
  return value > 0 && value <= 1 ? value : undefined;
});
export const durations = (count: number, maxMs: number) =>
  option(`up to ${count} durations separated by commas, such as 10s,30s,2m`, (raw) => {
    const list = raw.split(",").map((part) => parseDuration(part.trim()));
    return list.length <= count && list.every((ms) => ms !== null && ms <= maxMs) ? (list as number[]) : undefined;
  });
export const networks = option("networks in CIDR notation separated by commas, such as 10.0.0.0/8,fd00::/8", (raw) => {
  const list = raw
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return list.every(isNetwork) ? list : undefined;
});
/** Networks of trusted proxies. None may contain all addresses, because a trusted caller can claim any address. */
export const proxies = option(`${networks.expected}, none of them all addresses (/0)`, (raw) => {
  const list = networks.read(raw);
  return list?.every((cidr) => proxyNetwork(cidr)[1] > 0) ? list : undefined;
});

/** Requires all four parts of an IPv4 address: ipaddr.js reads 10/8 as 0.0.0.10/8. */
function isNetwork(cidr: string): boolean {
  const address = cidr.slice(0, cidr.lastIndexOf("/"));
  return isIP(address) !== 0 && !address.includes("%") && ipaddr.isValidCIDR(cidr);
}
