import { keepBusy } from "../keep-busy.ts";
import type { Scenario } from "../scenario.ts";
import { visitorToken } from "../visitor-token.ts";

const CONNECTIONS = 3;
const BOUNDARY = "bench-9e2f";
const BODY = Buffer.concat([
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`),
  Buffer.alloc(8 * 1024 * 1024, "x"),
  Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
]);
const TEXT = JSON.stringify({ content: "x".repeat(200 * 1024) });

/** One visitor makes the service store as many files and long messages as it accepts. */
export const hoardingVisitor: Scenario = {
  name: "hoarding-visitor",
  what: `one visitor who uploads and writes as much as the service accepts, over ${2 * CONNECTIONS} connections`,
  engines: ["embedded", "distributed"],
  async attack(site, signal) {
    const authorization = `Bearer ${await visitorToken(site, "hoarder")}`;
    const post = async (path: string, body: string | Buffer, type: string) => {
      const headers = { authorization, "Content-Type": type };
      const answer = await fetch(`http://127.0.0.1:${site.port}/api/widget/v1/${path}`, {
        method: "POST",
        headers,
        body,
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    let [bytes, refused] = [0, 0];
    const count = (status: number, length: number) => {
      if (status === 200) bytes += length;
      else refused++;
    };
    await Promise.all([
      keepBusy(CONNECTIONS, signal, async () => {
        count(await post("files", BODY, `multipart/form-data; boundary=${BOUNDARY}`), BODY.length);
      }),
      keepBusy(CONNECTIONS, signal, async () => count(await post("messages", TEXT, "application/json"), TEXT.length)),
    ]);
    return { "MiB kept": Math.round(bytes / 1024 / 1024), refused };
  },
};
