/**
 * The baseline of reads: answers each target with the value that the file named by FLOOR_ANSWERS has for it, written as
 * JSON each time, and does nothing else, but that it checks the signature of a call that has one.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { signatureCheck } from "../contenders/floor-signature.ts";

const { FLOOR_ANSWERS = "", FLOOR_SECRET = "" } = process.env;
const values: Record<string, unknown> = JSON.parse(readFileSync(FLOOR_ANSWERS, "utf8"));
const isSignatureRight = signatureCheck(FLOOR_SECRET);

const server = createServer((request, response) => {
  const { headers, url = "" } = request;
  const isSigned = headers["x-open-signature"] !== undefined;
  if (isSigned && !isSignatureRight(request, hash("sha256", "", "hex"))) {
    response.writeHead(401, { "Content-Length": 0 }).end();
    return;
  }
  const body = JSON.stringify(values[url]);
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`listening on port ${address.port}`);
});
process.once("SIGTERM", () => process.exit(0));
