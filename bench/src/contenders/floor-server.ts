/**
 * The baseline server ("floor"): does what any server must do with a signed call, and nothing else. It shares no code
 * with the service, so that changes to the service do not change the baseline. The environment has the credential and
 * the key.
 */
import { createHmac, createSecretKey, hash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

const { FLOOR_SECRET = "" } = process.env;
const key = createSecretKey(Buffer.from(FLOOR_SECRET, "utf8"));
let count = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    if (isSignatureRight(request, body)) acknowledge(response, JSON.parse(body.toString("utf8")));
    else response.writeHead(401, { "Content-Length": 0 }).end();
  });
});

function isSignatureRight({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const canonical = [
    method,
    url,
    "",
    headers["x-open-app-id"],
    headers["x-open-credential-id"],
    headers["x-open-timestamp"],
    headers["x-open-nonce"],
    hash("sha256", body, "hex"),
  ].join("\n");
  const expected = Buffer.from(createHmac("sha256", key).update(canonical).digest("hex"), "latin1");
  const given = Buffer.from(String(headers["x-open-signature"]), "latin1");
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function acknowledge(response: ServerResponse, body: { clientMessageId: string }): void {
  count++;
  const value = { messageId: count, msgSeq: count, clientMessageId: body.clientMessageId, duplicate: false };
  const reqNo = `0123456789abcdef${String(count).padStart(6, "0")}`;
  const answer = JSON.stringify({ code: "000000", message: "success", value, reqNo });
  response
    .writeHead(200, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(answer),
    })
    .end(answer);
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(`listening on port ${address.port}`);
});
process.once("SIGTERM", () => process.exit(0));
