/** What libuv says of a handle, as far as it is used here. */
interface Handle {
  type: string;
  is_active: boolean;
  is_referenced?: boolean;
  pid?: number;
  localEndpoint?: Endpoint | null;
  remoteEndpoint?: Endpoint | null;
}

interface Endpoint {
  host?: string;
  ip4?: string;
  ip6?: string;
  port?: number;
}

/** What keeps this process alive, in words. */
export function openHandles(): string {
  if (process.report === undefined) return "unknown";
  // Names of addresses would be looked up, and the types of Node do not know the setting.
  Object.assign(process.report, { excludeNetwork: true });
  const { libuv } = process.report.getReport() as { libuv: Handle[] };
  const open = libuv.filter(({ type, is_active, is_referenced }) => type !== "loop" && is_active && is_referenced);
  const alike = Map.groupBy(open.map(nameOf), (name) => name);
  const names = [...alike].map(([name, all]) => (all.length === 1 ? name : `${name} (${all.length} times)`));
  return names.join(", ") || "nothing";
}

function nameOf({ type, pid, localEndpoint, remoteEndpoint }: Handle): string {
  const ends = [localEndpoint, remoteEndpoint].flatMap((end) => (end ? [addressOf(end)] : []));
  return [type, ...(pid === undefined ? [] : [pid]), ...(ends.length > 0 ? [ends.join(" to ")] : [])].join(" ");
}

function addressOf({ host, ip4, ip6, port }: Endpoint): string {
  return `${ip4 ?? ip6 ?? host ?? ""}:${port ?? ""}`;
}
