import { randomUUID } from "node:crypto";
import { signRequest } from "@portico/protocol/signature";
import { type Answered, ApiCaller } from "./api-caller.ts";
import type { Credential } from "./signed-requests.ts";

/** Makes signed calls one by one. */
export class SignedCaller implements Disposable {
  readonly #caller: ApiCaller;
  readonly #credential: Credential;

  constructor(port: number, credential: Credential) {
    this.#caller = new ApiCaller(port);
    this.#credential = credential;
  }

  /** @throws when the call does not succeed; the error contains the answer. */
  async call<Value>(method: string, path: string, body = ""): Promise<Answered<Value>> {
    const parts = { method, path, rawQuery: "", nonce: randomUUID(), timestamp: Date.now(), body };
    const { headers } = signRequest({ ...this.#credential, ...parts });
    return await this.#caller.call(method, path, headers, body);
  }

  [Symbol.dispose](): void {
    this.#caller[Symbol.dispose]();
  }
}
