import type { ClientMessage } from "@portico/protocol";
import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { type Answer, send } from "./http.ts";

/** The API as a member sees it; without a token, as anybody does. */
function apiOf(baseUrl: string, token?: string) {
  return createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl, token, timeoutMs: TIMEOUT_MS }));
}

/** Long enough for a busy machine. */
const TIMEOUT_MS = 60_000;

/** A member signed in to a service under test. */
export class MemberClient {
  readonly #url: string;
  readonly token: string;
  /** For calls that must succeed. */
  readonly api: ReturnType<typeof apiOf>;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.token = token;
    this.api = apiOf(url, token);
  }

  static async signIn(world: { url: string }, account: { tenantId: string; username: string; password: string }) {
    const { accessToken } = await apiOf(world.url).login({ body: account });
    return new MemberClient(world.url, accessToken);
  }

  /** A member who is signed in already, perhaps at another process. */
  static with(world: { url: string }, token: string): MemberClient {
    return new MemberClient(world.url, token);
  }

  /** Makes a GET; returns the raw answer. */
  get(path: string): Promise<Answer> {
    return send(`${this.#url}/api/client/v1/${path}`, { headers: { authorization: `Bearer ${this.token}` } });
  }

  /** Posts JSON; a string is sent unchanged. Returns the raw answer. */
  post(path: string, body: unknown, method = "POST"): Promise<Answer> {
    return send(`${this.#url}/api/client/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  delete(path: string, body: unknown): Promise<Answer> {
    return this.post(path, body, "DELETE");
  }

  /** All messages of a conversation, oldest first. */
  async history(conversationId: string): Promise<ClientMessage[]> {
    const messages: ClientMessage[] = [];
    for (;;) {
      const query = { limit: 100, beforeSeq: messages[0]?.msgSeq };
      const { items } = await this.api.listMessages({ params: { conversationId }, query });
      if (items.length === 0) return messages;
      messages.unshift(...items);
    }
  }
}
