import ipaddr from "ipaddr.js";

/** An address of either family. */
export type IpAddress = ReturnType<typeof ipaddr.parse>;

/** A block of addresses of one family, such as 10.0.0.0/8. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** @throws Error when `cidr` is no network in CIDR notation. */
export function parseNetwork(cidr: string): Network {
  return ipaddr.parseCIDR(cidr);
}

/** The network of a trusted proxy; IPv4 in IPv6 clothes is taken for what it is. */
export function proxyNetwork(cidr: string): Network {
  const [address, bits] = parseNetwork(cidr);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96) {
    return [address.toIPv4Address(), bits - 96];
  }
  return [address, bits];
}

/** Whether one of `networks`, which may be of either family, contains `address`. */
export function isInSome(address: IpAddress, networks: readonly Network[]): boolean {
  return networks.some((network) => network[0].kind() === address.kind() && address.match(network));
}
