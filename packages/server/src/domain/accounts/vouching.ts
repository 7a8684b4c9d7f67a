import type { Voucher } from "../../platform/storage/schema/people.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { markVouched } from "../directory/whose-word.ts";
import { endConsoleOfMember } from "./pending-sign-ins.ts";

/**
 * Notes that a directory or a provider has written a member's phone number, password or state, or has signed them in. Logins to
 * the console that began while only operators had end: so those that see more than the member's tenant never rest on
 * somebody else's word.
 */
export async function vouchFor(tx: Db, userId: string, by: Voucher): Promise<void> {
  if (await markVouched(tx, userId, by)) await endConsoleOfMember(tx, userId);
}
