import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { canonicalString } from "@portico/protocol";
import { sha256Hex, verifyHmac } from "@portico/protocol/signature";

export const CREDENTIAL = { appId: "app_demo", credentialId: "cred_demo", appSecret: "s3cr3t-démo" };

/** A request as the service received it, with the result of its signature check. */
export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  /** The body as UTF-8 text. */
  body: string;
  /** The raw body. */
  bytes: Buffer;
  signatureMatches: boolean;
}

/** Answers the request with the given index (from 0). */
export type Respond = (response: ServerResponse, index: number) => void;

/** A real HTTP server on loopback that records requests and answers as instructed. */
export interface Service extends AsyncDisposable {
  baseUrl: string;
  requests: ReceivedRequest[];
  connections: () => number;
}

export async function startService(respond: Respond): Promise<Service> {
  const requests: ReceivedRequest[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push(received(request, Buffer.concat(chunks)));
    respond(response, requests.length - 1);
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with an envelope. */
export function answer(response: ServerResponse, status: number, code: string, value: unknown = null): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ code, message: `message of ${code}`, value, reqNo: "req_1" }));
}

function received(request: IncomingMessage, body: Buffer): ReceivedRequest {
  const { method = "", url = "", headers } = request;
  const [path = "", rawQuery = ""] = url.split("?", 2);
  const canonical = canonicalString({
    method,
    path,
    rawQuery,
    appId: CREDENTIAL.appId,
    credentialId: CREDENTIAL.credentialId,
    timestamp: String(headers["x-open-timestamp"]),
    nonce: String(headers["x-open-nonce"]),
    bodyHash: sha256Hex(body),
  });
  const signature = String(headers["x-open-signature"]);
  const signatureMatches =
    headers["x-open-app-id"] === CREDENTIAL.appId &&
    headers["x-open-credential-id"] === CREDENTIAL.credentialId &&
    verifyHmac(CREDENTIAL.appSecret, canonical, signature);
  return { method, url, headers, body: body.toString("utf8"), bytes: body, signatureMatches };
}
