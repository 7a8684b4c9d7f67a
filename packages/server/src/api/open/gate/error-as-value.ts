import { TransactionLost } from "../../../platform/storage/savepoint.ts";

/** Returns an error as a value, to be thrown later. */
export function judge<T extends object>(work: () => T): T | { error: unknown } {
  try {
    return work();
  } catch (error) {
    return { error };
  }
}

/** Returns an error as a value, so that the transaction, and with it the nonce, is committed. */
export async function settle<T extends object>(work: () => Promise<T>): Promise<T | { error: unknown }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TransactionLost) throw error;
    return { error };
  }
}
