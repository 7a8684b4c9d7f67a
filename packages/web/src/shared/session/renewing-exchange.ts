import type { Exchange } from "@portico/protocol/client";
import type { Login, Session } from "./session.ts";

/**
 * Carries calls out with a session's token. One that is refused because the token is no longer good is made once more
 * with a renewed one; the service did nothing at the first try.
 *
 * @param isSignedOut whether an error says that the token is not good.
 */
export function renewingExchange<L extends Login, Options>(
  session: Session<L>,
  exchange: Exchange<Options>,
  isSignedOut: (error: unknown) => boolean,
): Exchange<Options> {
  return async (call, options) => {
    const token = session.token();
    const { person } = session;
    try {
      return await exchange(call, options);
    } catch (error) {
      if (token === undefined || !isSignedOut(error)) throw error;
      // Another call may have renewed it meanwhile.
      if (session.token() === token) await session.renew();
      // What one person asked for is not done as another, who may have signed in meanwhile.
      if (session.person !== person) throw error;
      return await exchange(call, options);
    }
  };
}
