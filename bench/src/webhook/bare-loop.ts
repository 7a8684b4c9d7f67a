/**
 * The yardstick: posts events over TLS to a receiver and reads its answers, and nothing else. It stands alone, so that no
 * change to the service moves the measure: a client any application would take, a fixed number of loops.
 */
import { Pool } from "undici";
import { TEST_CA } from "../../../packages/server/test/support/certificates.ts";
import { EVENT_TYPE, messageEvent } from "./message-event.ts";
import { APP_ID } from "./world.ts";

/** As many as the service has on their way to one application, unless it is told otherwise. */
const CONCURRENCY = 20;

const { BARE_LOOP_URL = "", BARE_LOOP_EVENTS = "" } = process.env;
const url = new URL(BARE_LOOP_URL);
const requests = Array.from({ length: Number(BARE_LOOP_EVENTS) }, (_, number) => {
  const event = messageEvent(number, Date.now());
  const headers = {
    "Content-Type": "application/json; charset=UTF-8",
    "User-Agent": "Portico-Webhook",
    "X-Open-App-Id": APP_ID,
    "X-Open-Event-Id": event.eventId,
    "X-Open-Event-Type": EVENT_TYPE,
    "X-Open-Timestamp": String(event.createTime),
    "X-Open-Signature": "0".repeat(64),
  };
  return { headers, body: Buffer.from(JSON.stringify(event)) };
});

const pool = new Pool(url.origin, { connections: CONCURRENCY, pipelining: 1, connect: { ca: TEST_CA } });
const queue = requests.values();

async function loop(): Promise<void> {
  for (const { headers, body } of queue) {
    const answer = await pool.request({ method: "POST", path: url.pathname, headers, body });
    await answer.body.text();
  }
}

console.log(`posting to port ${url.port}`);
await Promise.all(Array.from({ length: CONCURRENCY }, loop));
await pool.close();
