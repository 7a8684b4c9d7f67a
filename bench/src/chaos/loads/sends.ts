import { randomUUID } from "node:crypto";
import { type ApiResult, type SentMessage, SUCCESS_CODE } from "@portico/protocol";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { signRequest } from "@portico/protocol/signature";
import { BOT, GROUP_IDS } from "../world.ts";
import { type Caller, describe, type Load } from "./load.ts";

const { method, path } = OPEN_ENDPOINTS.sendMessage;
const TIMEOUT_MS = 20_000;
const REPEATED = 0.1;
const REPLAYED = 0.1;

/**
 * Texts with an idempotency key, repeated until they are acknowledged. Some are sent again afterwards, which must change
 * nothing; some requests are replayed byte by byte, which must be refused.
 */
export const SENDS: Load = {
  name: "send",
  callers: 4,
  async work(caller) {
    const { ledger } = caller.parts;
    const text = caller.unique();
    const groupId = caller.random.pick(GROUP_IDS);
    const clientMessageId = text;
    const body = JSON.stringify({
      receiveIdType: "group_id",
      receiveId: groupId,
      msgType: "text",
      content: { text },
      clientMessageId,
    });
    ledger.uncertain.add(text);
    let accepted = signed(body);
    const send = () => {
      accepted = signed(body);
      return post(caller.url(), accepted, body);
    };
    const sent = await caller.persist(send);
    ledger.uncertain.delete(text);
    ledger.acknowledge(`group:${groupId}`, { messageId: sent.messageId, seq: sent.msgSeq }, { text });
    if (caller.random.chance(REPLAYED)) await replay(caller, accepted, body);
    if (caller.random.chance(REPEATED)) {
      const again = await caller.persist(send);
      if (!again.duplicate || again.messageId !== sent.messageId || again.msgSeq !== sent.msgSeq) {
        ledger.violate(`${text}: sent as message ${sent.messageId}, and again as ${JSON.stringify(again)}`);
      }
    }
  },
};

function signed(body: string): Record<string, string> {
  const parts = { method, path, rawQuery: "", nonce: randomUUID(), timestamp: Date.now(), body };
  return signRequest({ ...BOT, ...parts }).headers;
}

/** @throws when the service refuses, or its answer does not arrive. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<SentMessage> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { code, message, value } = (await response.json()) as ApiResult<SentMessage>;
  if (code !== SUCCESS_CODE || value === null) throw new Error(`${response.status} ${code} ${message}`);
  return value;
}

async function replay(caller: Caller, headers: Record<string, string>, body: string): Promise<void> {
  const answer = await post(caller.url(), headers, body).catch((error: unknown) => describe(error));
  if (typeof answer !== "string") caller.parts.ledger.violate(`a nonce was accepted twice: ${JSON.stringify(answer)}`);
}
