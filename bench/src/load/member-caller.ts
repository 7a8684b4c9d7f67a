import type { PostedMessage } from "@portico/protocol";
import { CLIENT_ENDPOINTS, pathOf } from "@portico/protocol/endpoints";
import { type Answered, ApiCaller } from "./api-caller.ts";
import { type Account, signInMember } from "./sign-in.ts";

/** Posts a member's messages one by one. */
export class MemberCaller implements Disposable {
  readonly #caller: ApiCaller;
  readonly #authorization: string;

  private constructor(port: number, accessToken: string) {
    this.#caller = new ApiCaller(port);
    this.#authorization = `Bearer ${accessToken}`;
  }

  /** Signs in to the service on `port` of 127.0.0.1. */
  static async signIn(port: number, account: Account): Promise<MemberCaller> {
    return new MemberCaller(port, await signInMember(port, account));
  }

  /**
   * @param body the JSON text of the message.
   * @throws when the call does not succeed; the error contains the answer.
   */
  async post(conversationId: string, body: string): Promise<Answered<PostedMessage>> {
    const path = pathOf(CLIENT_ENDPOINTS.postMessage, { conversationId });
    return await this.#caller.call("POST", path, { authorization: this.#authorization }, body);
  }

  [Symbol.dispose](): void {
    this.#caller[Symbol.dispose]();
  }
}
