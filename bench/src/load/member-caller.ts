import type { Login } from "@portico/protocol";
import { type Answered, ApiCaller } from "./api-caller.ts";

/** Whom a member signs in as. */
export interface Account {
  tenantId: string;
  username: string;
  password: string;
}

/** Makes a member's calls one by one. */
export class MemberCaller implements Disposable {
  readonly #caller: ApiCaller;
  /** What a stream or a call names the member with. */
  readonly authorization: string;

  private constructor(caller: ApiCaller, accessToken: string) {
    this.#caller = caller;
    this.authorization = `Bearer ${accessToken}`;
  }

  /** Signs in to the service at `port` of 127.0.0.1. */
  static async signIn(port: number, account: Account): Promise<MemberCaller> {
    const caller = new ApiCaller(port);
    const login = JSON.stringify(account);
    const { value } = await caller.call<Login>("POST", "/api/client/v1/auth/login", {}, login);
    return new MemberCaller(caller, value.accessToken);
  }

  /**
   * @param path below the members' API.
   * @throws when the call does not succeed, with the answer.
   */
  async post<Value>(path: string, body: string): Promise<Answered<Value>> {
    return await this.#caller.call("POST", `/api/client/v1/${path}`, { authorization: this.authorization }, body);
  }

  [Symbol.dispose](): void {
    this.#caller[Symbol.dispose]();
  }
}
