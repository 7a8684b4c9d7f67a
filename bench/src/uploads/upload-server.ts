/**
 * The baseline of uploads: hashes the body as it comes, writes it to a file, checks the signature, syncs the file and
 * answers. It shares no code with the service, and looks for no parts in the body. Files go to the current directory.
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { signatureCheck } from "../contenders/floor-signature.ts";

const isSignatureRight = signatureCheck(process.env.FLOOR_SECRET ?? "");
let count = 0;

const server = createServer((request, response) => {
  store(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
});

async function store(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const fileKey = `file_${count++}`;
  const hash = createHash("sha256");
  const file = await open(fileKey, "wx");
  try {
    for await (const chunk of request) {
      hash.update(chunk);
      await file.write(chunk);
    }
    if (!isSignatureRight(request, hash.digest("hex"))) {
      response.writeHead(401, { "Content-Length": 0 }).end();
      return;
    }
    await file.datasync();
  } finally {
    await file.close();
  }
  const answer = JSON.stringify({ code: "000000", message: "success", value: { fileKey }, reqNo: fileKey });
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(answer) });
  response.end(answer);
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`listening on port ${address.port}`);
});
process.once("SIGTERM", () => process.exit(0));
