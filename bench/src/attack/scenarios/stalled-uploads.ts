import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { signRequest } from "@portico/protocol/signature";
import { keepBusy } from "../keep-busy.ts";
import type { Probe, Scenario } from "../scenario.ts";
import { visitorToken } from "../visitor-token.ts";

const VISITORS = 100;
/** The number of uploads that a visitor may have in progress. */
const UPLOADS_OF_EACH = 3;
const UPLOADS_PER_SECOND = 5;
/** Pause after a refused upload; without it this would be an attack by connections alone. */
const PAUSE_MS = 1_000;

const BOUNDARY = "bench-4b1c";
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const BODY = Buffer.concat([
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`),
  Buffer.alloc(64 * 1_024, "x"),
  Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
]);

/** Well-behaved uploads of an application. */
const uploads: Probe = {
  name: "upload",
  perSecond: UPLOADS_PER_SECOND,
  async open({ port, sender }) {
    const { path } = OPEN_ENDPOINTS.uploadFile;
    return async () => {
      const parts = { method: "POST", path, rawQuery: "", nonce: randomUUID(), timestamp: Date.now(), body: BODY };
      const { headers } = signRequest({ ...sender, ...parts });
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { ...headers, "Content-Type": FORM_TYPE },
        body: BODY,
      });
      if (answer.status !== 200) throw new Error(await answer.text());
      await answer.arrayBuffer();
    };
  },
};

/** Visitors begin as many uploads as they may, and send only the beginning of each. */
export const stalledUploads: Scenario = {
  name: "stalled-uploads",
  what: `${VISITORS} visitors who each begin ${UPLOADS_OF_EACH} uploads and never finish them`,
  engines: ["embedded", "distributed"],
  probes: [uploads],
  async attack(site, signal) {
    const tokens: string[] = [];
    for (let n = 0; n < VISITORS; n++) tokens.push(await visitorToken(site, `stalled-${n}`));
    const begun = await keepBusy(VISITORS * UPLOADS_OF_EACH, signal, async (caller) => {
      await stalledUpload(site.port, tokens[caller % VISITORS] ?? "", signal);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    });
    return { begun };
  },
};

/** Begins an upload; resolves once it is refused or ended. */
function stalledUpload(port: number, token: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const leave = () => socket.destroy();
    signal.addEventListener("abort", leave);
    const head = [
      "POST /api/widget/v1/files HTTP/1.1",
      "Host: bench",
      `Authorization: Bearer ${token}`,
      `Content-Type: ${FORM_TYPE}`,
      `Content-Length: ${BODY.length}`,
    ];
    socket.on("error", leave).on("data", leave);
    socket.on("close", () => {
      signal.removeEventListener("abort", leave);
      resolve();
    });
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    socket.write(BODY.subarray(0, 1_024));
  });
}
