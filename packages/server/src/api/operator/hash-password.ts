import type { Developer } from "../../domain/accounts/developer.ts";
import { KeyedQueue } from "../common/console/keyed-queue.ts";
import type { PasswordParts } from "./parts.ts";

/** Queued, because sign-ins use the same hashing threads. */
const queue = new KeyedQueue({ maxWaiting: 100 });

/**
 * Hashes a password that an operator sets. Call it before the transaction.
 *
 * @throws ConsoleError 429 when too many calls of the operator wait already.
 */
export function hashPassword(ctx: PasswordParts, operator: Developer, password: string): Promise<string> {
  return queue.run(ctx, operator, () => ctx.passwords.hash(password));
}

/** Hashes the passwords of an import, one after another, as one of the operator's calls; see {@link hashPassword}. */
export function hashPasswords(
  ctx: PasswordParts,
  operator: Developer,
  passwords: readonly string[],
): Promise<string[]> {
  return queue.run(ctx, operator, async () => {
    const hashes: string[] = [];
    for (const password of passwords) hashes.push(await ctx.passwords.hash(password));
    return hashes;
  });
}
