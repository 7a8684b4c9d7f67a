import type { ClientMessage } from "@portico/protocol";
import { type Answer, send } from "./http.ts";

/** A member signed in to a service under test. */
export class MemberClient {
  readonly #url: string;
  readonly #token: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  static async signIn(world: { url: string }, account: { tenantId: string; username: string; password: string }) {
    const answer = await send(`${world.url}/api/client/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(account),
    });
    if (answer.status !== 200) throw new Error(`signing in was answered with ${answer.text}`);
    return new MemberClient(world.url, answer.json.value.accessToken);
  }

  get token(): string {
    return this.#token;
  }

  get(path: string): Promise<Answer> {
    return send(`${this.#url}/api/client/v1/${path}`, { headers: { authorization: `Bearer ${this.#token}` } });
  }

  post(path: string, body: unknown, method = "POST"): Promise<Answer> {
    return send(`${this.#url}/api/client/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  delete(path: string, body: unknown): Promise<Answer> {
    return this.post(path, body, "DELETE");
  }

  /** All messages of a conversation, oldest first. */
  async history(conversationId: string): Promise<ClientMessage[]> {
    const messages: ClientMessage[] = [];
    for (let before = ""; ; before = `&beforeSeq=${messages[0]?.msgSeq}`) {
      const answer = await this.get(`conversations/${conversationId}/messages?limit=100${before}`);
      const items: ClientMessage[] = answer.json.value.items;
      if (items.length === 0) return messages;
      messages.unshift(...items);
    }
  }
}
