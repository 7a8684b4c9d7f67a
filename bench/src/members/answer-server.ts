/**
 * The baseline of reads: answers each path with the value that the file named by FLOOR_ANSWERS has for it, written as
 * JSON each time, and does nothing else.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const values: Record<string, unknown> = JSON.parse(readFileSync(process.env.FLOOR_ANSWERS ?? "", "utf8"));

const server = createServer(({ url = "" }, response) => {
  const body = JSON.stringify(values[url]);
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`listening on port ${address.port}`);
});
process.once("SIGTERM", () => process.exit(0));
