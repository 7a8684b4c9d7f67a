import { validateHeaderName, validateHeaderValue } from "node:http";

/** A request on a connection. */
export interface ConnectionRequest {
  /** Path with query. */
  path: string;
  /** Names and values, in addition to Host, Connection and Content-Length. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Fields that say where a request goes or ends, which only the connection may say. */
const OWN_FIELDS = new Set(["host", "connection", "content-length", "transfer-encoding", "expect", "upgrade"]);
/** Up to this length a body is joined with the head, so that both are one write. */
const MAX_JOINED_BYTES = 64 * 1_024;

/**
 * The bytes of a POST to `host`, in pieces to write at once (RFC 9112, section 3).
 *
 * @throws TypeError for headers that cannot be sent.
 */
export function requestBytes(host: string, { path, headers, body }: ConnectionRequest): Buffer[] {
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? "";
    checkName(name);
    validateHeaderValue(name, value);
    head += `${name}: ${value}\r\n`;
  }
  head += `content-length: ${body.length}\r\n\r\n`;
  if (body.length > MAX_JOINED_BYTES) return [Buffer.from(head, "latin1"), body];
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, 0, "latin1");
  body.copy(bytes, head.length);
  return [bytes];
}

/** Names that have been checked. They come again with each request, and are few. */
const MOST_NAMES = 100;
const goodNames = new Set<string>();

function checkName(name: string): void {
  if (goodNames.has(name)) return;
  validateHeaderName(name);
  if (OWN_FIELDS.has(name.toLowerCase())) throw new TypeError(`a request cannot be given the header ${name}`);
  if (goodNames.size < MOST_NAMES) goodNames.add(name);
}
