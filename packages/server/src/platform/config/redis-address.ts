/** How a Redis deployment is reached. */
export type RedisAddress =
  | { kind: "single"; url: string }
  | { kind: "sentinel"; nodes: RedisNode[]; name: string; db: number; login: RedisLogin; tls: boolean }
  | { kind: "cluster"; nodes: RedisNode[]; login: RedisLogin; tls: boolean };

export interface RedisNode {
  host: string;
  port: number;
}

/** For the data nodes; Sentinels are asked with the same. */
export interface RedisLogin {
  username?: string;
  password?: string;
}

const REDIS_PORT = 6_379;
const SENTINEL_PORT = 26_379;

/** What a valid address looks like, for messages. */
export const REDIS_ADDRESSES =
  "a URL such as redis://host:6379, redis+sentinel://host1:26379,host2:26379/master-name or " +
  "redis+cluster://host1:6379,host2:6379, with rediss for TLS";

/**
 * Parses the address of Redis: a URL of one server, or a list of Sentinels with the name of their master and, optionally,
 * the number of the database, or a list of nodes of a Redis Cluster. Undefined when it is none.
 */
export function parseRedisAddress(raw: string): RedisAddress | undefined {
  const [, scheme = "", authority = "", path = ""] =
    /^(rediss?(?:\+(?:sentinel|cluster))?):\/\/([^/?#]*)(?:\/(.*))?$/.exec(raw) ?? [];
  const [protocol, kind] = scheme.split("+");
  const tls = protocol === "rediss";
  if (kind === undefined) return scheme !== "" && URL.canParse(raw) ? { kind: "single", url: raw } : undefined;
  const at = authority.lastIndexOf("@");
  const login = parseLogin(authority.slice(0, Math.max(0, at)));
  const nodes = parseNodes(authority.slice(at + 1), kind === "sentinel" ? SENTINEL_PORT : REDIS_PORT);
  if (login === undefined || nodes === undefined) return undefined;
  if (kind === "cluster") return path === "" ? { kind, nodes, login, tls } : undefined;
  const [, name, db = "0"] = /^([\w.-]{1,100})(?:\/(\d{1,4}))?$/.exec(path) ?? [];
  return name === undefined ? undefined : { kind: "sentinel", nodes, name, db: Number(db), login, tls };
}

function parseLogin(text: string): RedisLogin | undefined {
  const colon = text.indexOf(":");
  const [username, password] = colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  try {
    return {
      ...(username !== "" && { username: decodeURIComponent(username) }),
      ...(password !== "" && { password: decodeURIComponent(password) }),
    };
  } catch {
    return undefined;
  }
}

function parseNodes(list: string, port: number): RedisNode[] | undefined {
  const nodes = list.split(",").map((text) => parseNode(text, port));
  return nodes.every((node) => node !== undefined) ? nodes : undefined;
}

function parseNode(text: string, port: number): RedisNode | undefined {
  const url = URL.parse(`redis://${text}`);
  const isNode = url !== null && url.hostname !== "" && /^[^@/?#]+$/.test(text);
  return isNode ? { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(url.port || port) } : undefined;
}
