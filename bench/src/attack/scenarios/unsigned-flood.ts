import { randomBytes, randomUUID } from "node:crypto";
import { CLIENT_ENDPOINTS, pathOf } from "@portico/protocol/endpoints";
import { OPEN_HEADERS } from "@portico/protocol/signature";
import { Connection, openConnections } from "../../load/connection.ts";
import { SEND_PATH, sendBody } from "../../load/signed-requests.ts";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario, Site } from "../scenario.ts";

const CONNECTIONS = 16;
const POST_PATH = pathOf(CLIENT_ENDPOINTS.postMessage, { conversationId: "group:g_bench" });
/** An id almost as long as a head may be. */
const LONG = 14 * 1024;

/** Strangers send calls without credentials, or with invented ones, as fast as they are answered. */
export const unsignedFlood: Scenario = {
  name: "unsigned-flood",
  what: `${CONNECTIONS} connections with calls that have no signature, a garbage one or one of an unknown application`,
  engines: ["embedded", "distributed"],
  async attack(site, signal) {
    const connections = await openConnections(site.port, CONNECTIONS);
    const body = sendBody(site.sender.groupId, "text", 0, false);
    let next = 0;
    const calls = await keepBusy(CONNECTIONS, signal, async (caller) => {
      const known = connections[caller];
      const connection = known === undefined || known.isBroken ? await Connection.open(site.port) : known;
      connections[caller] = connection;
      const { path, headers } = strangersCall(site, next++);
      await connection.exchange(requestOf(path, headers, body));
    });
    for (const connection of connections) connection.close();
    return { calls };
  },
};

/** One of the kinds of call, by turns. */
function strangersCall({ sender }: Site, number: number): { path: string; headers: Record<string, string> } {
  const signed = (appId: string, more: object = {}) => ({
    [OPEN_HEADERS.appId]: appId,
    [OPEN_HEADERS.credentialId]: sender.credentialId,
    [OPEN_HEADERS.timestamp]: String(Date.now()),
    [OPEN_HEADERS.nonce]: randomUUID(),
    [OPEN_HEADERS.signature]: randomBytes(32).toString("hex"),
    ...more,
  });
  switch (number % 8) {
    case 0:
      return { path: SEND_PATH, headers: {} };
    case 1:
      return { path: SEND_PATH, headers: signed(`app_${randomUUID()}`) };
    case 2:
      return { path: SEND_PATH, headers: signed(randomBytes(LONG / 2).toString("hex")) };
    case 3:
      return { path: SEND_PATH, headers: signed(sender.appId, { [OPEN_HEADERS.timestamp]: "yesterday" }) };
    case 4:
      return { path: SEND_PATH, headers: signed(sender.appId, { [OPEN_HEADERS.signature]: "garbage" }) };
    case 5:
      return { path: SEND_PATH, headers: signed(sender.appId, { [OPEN_HEADERS.credentialId]: randomUUID() }) };
    case 6:
      return { path: POST_PATH, headers: { Authorization: `Bearer ${randomBytes(32).toString("base64url")}` } };
    default:
      return { path: POST_PATH, headers: {} };
  }
}

function requestOf(path: string, headers: Record<string, string>, body: string): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
