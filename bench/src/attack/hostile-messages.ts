import { CLIENT_ENDPOINTS, pathOf } from "@portico/protocol/endpoints";
import { SEND_PATH } from "../load/signed-requests.ts";
import { hostileApp, signedHeaders, signInAs } from "./callers.ts";
import { keepBusy } from "./keep-busy.ts";
import type { Deeds, Scenario, Site } from "./scenario.ts";

const SENDERS = 4;
const POSTERS = 4;

/** Makes a message: JSON text that begins with `head`, the members that say where it goes. `number` counts messages. */
export type MakeMessage = (head: string, number: number) => string;

/** Whose messages they are: an application of the attacker, and a member, in a group of their own. */
export class HostileWriters {
  readonly callers = `${SENDERS} senders and ${POSTERS} posting members`;
  readonly #app: { appId: string; credentialId: string; appSecret: string };
  readonly #group: string;

  constructor(name: string) {
    this.#app = { appId: `app_${name}`, credentialId: `cred_${name}`, appSecret: `the secret of ${name}` };
    this.#group = `g_${name}`;
  }

  get world(): Scenario["world"] {
    const installations = [{ targetType: "GROUP", targetId: this.#group }];
    return {
      groups: [{ id: this.#group, tenant: "t_bench", name: "Hostile", members: ["mallory"] }],
      apps: [hostileApp(this.#app, { scopes: ["bot.message.send"], installations })],
    };
  }

  /** Sends and posts messages, one kind after the other, as fast as they are answered. */
  async attack({ port }: Site, signal: AbortSignal, sent: MakeMessage[], posted: MakeMessage[]): Promise<Deeds> {
    const authorization = `Bearer ${await signInAs(port, "mallory")}`;
    const postPath = pathOf(CLIENT_ENDPOINTS.postMessage, { conversationId: `group:${this.#group}` });
    const sendHead = `{"receiveIdType":"group_id","receiveId":${JSON.stringify(this.#group)},`;
    let [number, stored, refused, bytes] = [0, 0, 0, 0];
    const messages = await keepBusy(SENDERS + POSTERS, signal, async (caller) => {
      const isSend = caller < SENDERS;
      const makers = isSend ? sent : posted;
      const body = makers[number % makers.length]?.(isSend ? sendHead : "{", number) ?? "";
      number++;
      const path = isSend ? SEND_PATH : postPath;
      const headers = isSend
        ? signedHeaders(this.#app, "POST", path, body)
        : { authorization, "content-type": "application/json" };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body, signal });
      await answer.text();
      if (answer.status >= 500) throw new Error(`${answer.status}`);
      bytes += body.length;
      if (answer.ok) stored++;
      else refused++;
    });
    return { messages, stored, refused, "MiB sent": Math.round(bytes / 1024 / 1024) };
  }
}
