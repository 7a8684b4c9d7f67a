import type { Db } from "../../platform/storage/schema.ts";
import { endVisitorKey } from "./visitor-keys.ts";
import { endVisitorTokens } from "./visitor-tokens.ts";

/**
 * Ends what a visitor could act with before they were disabled (0) or enabled (1). The key of a disabled visitor is left
 * until then, since it opens nothing: with it their widget knows that they are disabled, and does not begin as somebody new.
 */
export async function endVisitorAccess(tx: Db, visitorId: string, status: 0 | 1): Promise<void> {
  await endVisitorTokens(tx, visitorId);
  if (status === 1) await endVisitorKey(tx, visitorId);
}
