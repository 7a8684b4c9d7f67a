import { ApiRefusedError } from "@portico/protocol/client/errors";
import type { Credentials } from "./credentials.ts";

/** Makes calls in the name of a visitor, for as long as the visitor is the one whom the page is about. */
export class VisitorCalls {
  readonly #credentials: Credentials;
  #isClosed = false;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /**
   * Makes a call with the visitor's token; with another one if that is no longer valid.
   *
   * @param mayBecome whether somebody without a name becomes a visitor by it.
   * @throws Error when there is no visitor, or no longer this one; what `use` throws.
   */
  async make<T>(use: (token: string) => Promise<T>, mayBecome = false): Promise<T> {
    for (let tries = 0; ; tries++) {
      const token = mayBecome ? await this.#credentials.tokenToWrite() : await this.#credentials.token();
      if (token === null) throw new Error("there is no visitor yet");
      // Another visitor has been named meanwhile.
      if (this.#isClosed) throw new Error("the conversation is closed");
      try {
        return await use(token);
      } catch (error) {
        const isExpired = error instanceof ApiRefusedError && error.httpStatus === 401;
        if (!isExpired || tries > 0) throw error;
        this.#credentials.refuse(token);
      }
    }
  }

  /** From now on no call is begun. */
  close(): void {
    this.#isClosed = true;
  }
}
