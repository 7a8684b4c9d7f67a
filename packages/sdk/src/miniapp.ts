import type { MiniappSession } from "@portico/protocol";
import type { OpenApi } from "./open-api.ts";

/**
 * What a mini-program's own server calls (V2). The methods throw {@link ApiRefusedError} when the service refuses and
 * {@link TransportError} when no verdict arrives.
 */
export class MiniappApi {
  readonly #api: OpenApi;

  constructor(api: OpenApi) {
    this.#api = api;
  }

  /**
   * Exchanges the login code that the messenger gave the mini-program for who the member is. Needs no scope. A code is
   * good once and for two minutes: when the exchange fails, even if only its answer is lost, have the mini-program ask the
   * messenger for another. A code that is unknown, used, expired or of another app is refused with `400008`.
   *
   * @returns `openId` is the member to this app, `unionId` to all apps of its developer; both stay the same. `sessionKey`
   *   is a new secret, for the app to sign or encrypt with; `expiresAt`, in epoch milliseconds, is when to ask for another
   *   code. The service keeps neither: sessions are the app's own.
   *
   * @example
   * const { openId, sessionKey } = await client.miniapp.exchangeCode(code);
   */
  async exchangeCode(code: string): Promise<MiniappSession> {
    // A try in which the service failed has most likely left the code as it was; if not, the next one is refused.
    return await this.#api.openMiniappSession({ body: { code } });
  }
}
