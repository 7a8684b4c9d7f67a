import { CLIENT_ENDPOINTS, pathOf } from "@portico/protocol/endpoints";
import type { Child } from "../contenders/child.ts";
import { openConnections } from "../load/connection.ts";
import { contentJson } from "../load/message-kinds.ts";
import { signInMember } from "../load/sign-in.ts";
import { cpuSecondsOf } from "../process-usage.ts";
import { WARM_UP_SECONDS } from "../warm-up.ts";
import { checkEachOnce } from "./receipts.ts";
import { Receiver } from "./receiver.ts";
import { APP_ID, WRITERS } from "./world.ts";

const CONNECTIONS = 32;

/** Posts of members until their events have been received. */
export interface DeliveredPosts {
  perSecond: number;
  /** Processor time of the service; null when the system does not report it. */
  cpuMsPerPost: number | null;
}

/**
 * Lets {@link CONNECTIONS} connections of members write to a bot for `seconds`, each without a pause, and waits until all
 * events have been received.
 *
 * @param start starts the service with the bot's callback address.
 * @throws when a call does not succeed, or an event is not received exactly once.
 */
export async function measurePosts(start: (url: string) => Promise<Child>, seconds: number): Promise<DeliveredPosts> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.adopt(await Receiver.open({ hangs: false }), (open) => open.close());
  const { pid, port } = opened.adopt(await start(receiver.url), (started) => started.stop());
  const tokens = await Promise.all(WRITERS.map((writer) => signInMember(port, writer)));
  const connections = await openConnections(port, CONNECTIONS);
  opened.defer(() => {
    for (const connection of connections) connection.close();
  });
  let posted = 0;
  const writeFor = async (writeSeconds: number) => {
    const endMs = performance.now() + writeSeconds * 1_000;
    await Promise.all(
      connections.map(async (connection, index) => {
        const token = tokens[index % tokens.length] ?? "";
        while (performance.now() < endMs) {
          const refusal = await connection.exchange(postOf(token, posted++));
          if (refusal !== null) throw new Error(`a post was answered with ${refusal}`);
        }
      }),
    );
    await receiver.until(posted);
  };
  await writeFor(WARM_UP_SECONDS);
  const [before, startedMs, cpuBefore] = [posted, performance.now(), cpuSecondsOf(pid)];
  await writeFor(seconds);
  const count = posted - before;
  const perSecond = (count * 1_000) / (performance.now() - startedMs);
  const cpuAfter = cpuSecondsOf(pid);
  checkEachOnce(receiver.receipts, posted);
  const cpuMsPerPost = cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1_000) / count;
  return { perSecond, cpuMsPerPost };
}

function postOf(token: string, number: number): Buffer {
  const path = pathOf(CLIENT_ENDPOINTS.postMessage, { conversationId: `bot:${APP_ID}` });
  const body = `{"msgType":"text","content":${contentJson("text", number)}}`;
  const lines = [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
