import type { MiniappSession } from "./answers.ts";
import type { OpenApi } from "./open-api.ts";

/**
 * The calls of a mini-program's own server (V2). The methods throw {@link ApiRefusedError} when the service refuses the
 * call, and {@link TransportError} when no valid answer arrives.
 */
export class MiniappApi {
  readonly #api: OpenApi;

  /** @internal */
  constructor(api: OpenApi) {
    this.#api = api;
  }

  /**
   * Exchanges the login code that the messenger gave the mini-program for the member's identity. Needs no scope.
   *
   * A code is valid once and for two minutes. When the exchange fails, even if only the answer was lost, the
   * mini-program must request another code from the messenger. A code that is unknown, used, expired or of another app
   * is refused with `400008`.
   *
   * @returns `openId` identifies the member to this app, `unionId` to all apps of its developer; both never change.
   * `sessionKey` is a new secret, with which the app can sign or encrypt; `expiresAt`, in epoch milliseconds, is when
   * to request another code. The service stores neither: the app manages its own sessions.
   *
   * @example
   * const { openId, sessionKey } = await client.miniapp.exchangeCode(code);
   */
  async exchangeCode(code: string): Promise<MiniappSession> {
    // After an internal error the code is most likely unused; otherwise the retry is refused.
    return await this.#api.openMiniappSession({ body: { code } });
  }
}
