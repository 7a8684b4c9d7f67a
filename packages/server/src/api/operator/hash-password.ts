import type { Developer } from "../../domain/accounts/developer.ts";
import { checkNewPassword, type PasswordOwner } from "../../domain/accounts/password-rules.ts";
import { KeyedQueue } from "../common/console/keyed-queue.ts";
import type { PasswordParts } from "./parts.ts";

/** Queued, because sign-ins use the same hashing threads. */
const queue = new KeyedQueue({ maxWaiting: 100 });

/**
 * Checks and hashes a password that an operator sets. Call it before the transaction.
 *
 * @param owner whose it is to be.
 * @throws ApiError 400 when it breaks a rule; ConsoleError 429 when too many calls of the operator wait already.
 */
export async function newPasswordHash(
  ctx: PasswordParts,
  operator: Developer,
  password: string,
  owner: PasswordOwner,
): Promise<string> {
  checkNewPassword(ctx.config, password, owner);
  return await queue.run(ctx, operator, () => ctx.passwords.hash(password));
}

/** Hashes the passwords of an import, one after another, as one of the operator's calls; see {@link newPasswordHash}. */
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
