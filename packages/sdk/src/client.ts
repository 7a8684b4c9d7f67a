import { BotApi } from "./bot-api.ts";
import { Caller } from "./caller.ts";
import { checkedOptions, type PorticoClientOptions } from "./client-options.ts";
import { CustomerApi } from "./customer.ts";
import { MiniappApi } from "./miniapp.ts";
import { openApi } from "./open-api.ts";

/**
 * A client of Portico's open API. It signs each request, applies timeouts, and retries temporary refusals (codes
 * `500000` and `429001`) with backoff. One client can be used for any number of concurrent calls.
 *
 * @example
 * const client = new PorticoClient({ baseUrl: "http://localhost:8080", appId, credentialId, appSecret });
 * const [app] = await client.bot.listApps();
 */
export class PorticoClient {
  /** The bot capability: messages, cards, files and installations. */
  readonly bot: BotApi;
  /** Customer service: visitors, sessions, messages and agents. */
  readonly customer: CustomerApi;
  /** The mini-program runtime: finds out which member has opened a mini-program. */
  readonly miniapp: MiniappApi;

  /** @throws TypeError or RangeError naming the invalid option. */
  constructor(options: PorticoClientOptions) {
    const caller = new Caller(checkedOptions(options));
    const api = openApi(caller);
    this.bot = new BotApi(caller, api);
    this.customer = new CustomerApi(api);
    this.miniapp = new MiniappApi(api);
  }
}
