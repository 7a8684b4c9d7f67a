/**
 * The baseline: posts events over TLS to a receiver and reads its answers, with a common HTTP client and a fixed number
 * of loops. It shares no code with the service, so that changes to the service do not change the baseline.
 */
import { Pool } from "undici";
import { TEST_CA } from "../../../packages/server/test/support/certificates.ts";
import { EVENT_TYPE, messageEvent } from "./message-event.ts";
import { APP_ID } from "./world.ts";

/** The service's default number of concurrent attempts per application. */
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
