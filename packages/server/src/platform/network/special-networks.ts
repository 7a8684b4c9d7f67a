import { type IpAddress, isInSome, parseNetwork } from "../config/networks.ts";

/**
 * Every block of the IANA IPv4 Special-Purpose Address Registry (as of October 2025), globally reachable or not, and
 * multicast and the reserved class E.
 */
const SPECIAL_IPV4 = [
  "0.0.0.0/8", // "this network" (RFC 791)
  "10.0.0.0/8", // private use (RFC 1918)
  "100.64.0.0/10", // shared by carriers (RFC 6598)
  "127.0.0.0/8", // loopback (RFC 1122)
  "168.63.129.16/32", // the platform address inside every Azure virtual network; not in the registry
  "169.254.0.0/16", // link-local (RFC 3927), including the metadata services of clouds
  "172.16.0.0/12", // private use (RFC 1918)
  "192.0.0.0/24", // protocol assignments (RFC 6890)
  "192.0.2.0/24", // documentation (RFC 5737)
  "192.31.196.0/24", // AS112 (RFC 7535)
  "192.52.193.0/24", // AMT (RFC 7450)
  "192.88.99.0/24", // 6to4 relays, deprecated (RFC 7526)
  "192.168.0.0/16", // private use (RFC 1918)
  "192.175.48.0/24", // AS112 (RFC 7534)
  "198.18.0.0/15", // benchmarks (RFC 2544)
  "198.51.100.0/24", // documentation (RFC 5737)
  "203.0.113.0/24", // documentation (RFC 5737)
  "224.0.0.0/4", // multicast (RFC 5771)
  "240.0.0.0/4", // reserved, including limited broadcast (RFC 1112, RFC 8190)
].map(parseNetwork);

/** The only block from which IANA allocates globally reachable unicast addresses. */
const GLOBAL_UNICAST_IPV6 = parseNetwork("2000::/3");

/**
 * The blocks of the IANA IPv6 Special-Purpose Address Registry (as of October 2025) inside 2000::/3. The others are
 * outside and need no entry: ::/128, ::1/128, ::ffff:0:0/96 (mapped), ::/96 (compatible), 64:ff9b::/96 and
 * 64:ff9b:1::/48 (NAT64), 100::/64, 5f00::/16, fc00::/7, fe80::/10, fec0::/10 and ff00::/8.
 */
const SPECIAL_IPV6 = [
  "2001::/23", // protocol assignments (RFC 2928), including Teredo, which embeds IPv4 (RFC 4380)
  "2001:db8::/32", // documentation (RFC 3849)
  "2002::/16", // 6to4, which embeds IPv4 (RFC 3056)
  "2620:4f:8000::/48", // AS112 (RFC 7534)
  "3fff::/20", // documentation (RFC 9637)
].map(parseNetwork);

/**
 * Whether `address`, without a zone, is on the public Internet. An allowlist: IPv4 outside every special-purpose block,
 * IPv6 inside 2000::/3 and outside every special-purpose block.
 */
export function isGloballyRoutable(address: IpAddress): boolean {
  if (address.kind() === "ipv4") return !isInSome(address, SPECIAL_IPV4);
  return isInSome(address, [GLOBAL_UNICAST_IPV6]) && !isInSome(address, SPECIAL_IPV6);
}
