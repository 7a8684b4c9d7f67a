import type { Developer } from "../../domain/accounts/developer.ts";
import { KeyedQueue } from "../common/console/keyed-queue.ts";
import type { Context } from "../common/context.ts";

/** Signing in needs the threads in which passwords are hashed too. */
const queue = new KeyedQueue({ maxWaiting: 100 });

/**
 * Hashes a password that an operator gives somebody; to be done before any transaction.
 *
 * @throws ConsoleError 429 when too many of the operator's wait already.
 */
export function hashPassword(ctx: Context, operator: Developer, password: string): Promise<string> {
  return queue.run(ctx, operator, () => ctx.passwords.hash(password));
}
