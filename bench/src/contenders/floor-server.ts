/**
 * The baseline server ("floor"): does what any server must do with a signed call, and nothing else. It shares no code
 * with the service, so that changes to the service do not change the baseline. The environment has the credential and
 * the key.
 */
import { hash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { signatureCheck } from "./floor-signature.ts";

const isSignatureRight = signatureCheck(process.env.FLOOR_SECRET ?? "");
let count = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    if (isSignatureRight(request, hash("sha256", body, "hex")))
      acknowledge(response, JSON.parse(body.toString("utf8")));
    else response.writeHead(401, { "Content-Length": 0 }).end();
  });
});

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
