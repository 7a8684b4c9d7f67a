import { once } from "node:events";
import { MEMBER_STREAM } from "@portico/protocol/client";
import { WebSocket } from "ws";
import { signInAs } from "../callers.ts";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario } from "../scenario.ts";

const STREAMS = 20;
const FRAMES_AT_ONCE = 50;
/** The most conversations that a frame may name, with ids that also make it as long as it may be. */
const PLACES = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`group:${"x".repeat(40)}${n}`, 0]));

/**
 * A member resumes other members' conversations on as many streams as allowed, and reopens each stream that is closed.
 */
export const resumeFlood: Scenario = {
  name: "resume-flood",
  what: `${STREAMS} streams of one member that resume 1,000 foreign conversations again and again`,
  engines: ["embedded", "distributed"],
  async attack({ port }, signal) {
    const accessToken = await signInAs(port, "mallory");
    const frame = JSON.stringify({ type: "resume", afterSeq: PLACES });
    let frames = 0;
    const streams = await keepBusy(STREAMS, signal, async () => {
      const stream = new WebSocket(`ws://127.0.0.1:${port}${MEMBER_STREAM.path}`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      const over = new Promise((resolve) => stream.once("close", resolve));
      stream.on("error", () => {});
      const leave = () => stream.terminate();
      signal.addEventListener("abort", leave);
      try {
        await Promise.race([once(stream, "open"), over.then(() => Promise.reject(new Error("refused")))]);
        while (stream.readyState === WebSocket.OPEN && !signal.aborted) {
          for (let n = 0; n < FRAMES_AT_ONCE; n++) stream.send(frame);
          frames += FRAMES_AT_ONCE;
          await Promise.race([new Promise((resolve) => stream.send(frame, resolve)), over]);
        }
      } finally {
        signal.removeEventListener("abort", leave);
        stream.terminate();
      }
    });
    return { streams, frames };
  },
};
