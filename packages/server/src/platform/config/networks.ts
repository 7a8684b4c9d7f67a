import ipaddr from "ipaddr.js";

/** An IPv4 or IPv6 address. */
export type IpAddress = ReturnType<typeof ipaddr.parse>;

/** A CIDR block such as 10.0.0.0/8. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** @throws Error when `cidr` is not in CIDR notation. */
export function parseNetwork(cidr: string): Network {
  return ipaddr.parseCIDR(cidr);
}

/** The network of a trusted proxy. An IPv4-mapped IPv6 network is converted to IPv4. */
export function proxyNetwork(cidr: string): Network {
  const [address, bits] = parseNetwork(cidr);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96) {
    return [address.toIPv4Address(), bits - 96];
  }
  return [address, bits];
}

/** Whether one of `networks` contains `address`; networks of the other family do not. */
export function isInSome(address: IpAddress, networks: readonly Network[]): boolean {
  return networks.some((network) => network[0].kind() === address.kind() && address.match(network));
}
