import { randomUUID } from "node:crypto";
import { signRequest } from "@portico/protocol/signature";
import { SEND_PATH, sendBody } from "../../load/signed-requests.ts";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario } from "../scenario.ts";

const CALLERS = 4;

/** Strangers who know an application's ids sign calls with another secret. */
export const wrongSignatures: Scenario = {
  name: "wrong-signatures",
  what: "4 callers who know the application's ids, but not its secret",
  engines: ["embedded", "distributed"],
  async attack({ port, sender }, signal) {
    const body = sendBody(sender.groupId, "text", 0, false);
    const calls = await keepBusy(CALLERS, signal, async () => {
      const parts = { method: "POST", path: SEND_PATH, rawQuery: "", nonce: randomUUID(), timestamp: Date.now(), body };
      const { headers } = signRequest({ ...sender, ...parts, appSecret: "not the secret" });
      const answer = await fetch(`http://127.0.0.1:${port}${SEND_PATH}`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body,
      });
      await answer.text();
    });
    return { calls };
  },
};
