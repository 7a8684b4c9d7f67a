/** More servers than any cluster of PostgreSQL has. */
const MOST_HOSTS = 16;

/**
 * Splits `postgres://user:password@host1:5432,host2/database?…` into a URL for each host, in their order; undefined when
 * it is no URL of PostgreSQL.
 */
export function splitPostgresHosts(raw: string): string[] | undefined {
  const [, head = "", hosts = "", rest = ""] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)(.*)$/s.exec(raw) ?? [];
  if (head === "") return undefined;
  const urls = hosts.split(",").map((host) => head + host + rest);
  return urls.length <= MOST_HOSTS && urls.every((url) => isUsable(url, urls.length > 1)) ? urls : undefined;
}

/** One host alone may be left out: the parameters may name it, or the system's defaults. */
function isUsable(text: string, needsHost: boolean): boolean {
  const url = URL.parse(text);
  return url !== null && (!needsHost || url.hostname !== "");
}
