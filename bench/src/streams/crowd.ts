import { createHash } from "node:crypto";
import { fillStore, type Store } from "../contenders/fill-store.ts";
import type { Sender } from "../load/signed-requests.ts";

/** The members who connect, and how many of them are in the sender's group. */
export const STREAMS = 10_000;
export const IN_LARGE_GROUP = 5_000;
/** Each member is also in some small groups, as in a company. */
const GROUPS_OF_MEMBER = 5;
const SMALL_GROUP = 10;
const TENANT = "t_bench";

/** The access token of a member. */
export function tokenOf(index: number): string {
  return `token-of-the-bench-${index}`;
}

/** Inserts the members with their groups and tokens: passwords of ten thousand would take an hour to check. */
export async function fillCrowd(store: Store, { groupId }: Sender): Promise<void> {
  const userId = (index: number) => `u_crowd_${index}`;
  await fillStore(store, "members", STREAMS, (index) => {
    return { user_id: userId(index), tenant_id: TENANT, username: `crowd_${index}`, name: `Member ${index}` };
  });
  const groups = (STREAMS * GROUPS_OF_MEMBER) / SMALL_GROUP;
  await fillStore(store, "groups", groups, (index) => {
    return { group_id: `g_small_${index}`, tenant_id: TENANT, name: `Group ${index}` };
  });
  // Neighbours share only one of their groups.
  await fillStore(store, "group_members", STREAMS * GROUPS_OF_MEMBER, (index) => {
    const [member, round] = [index % STREAMS, Math.floor(index / STREAMS)];
    const perRound = groups / GROUPS_OF_MEMBER;
    const group = round % 2 === 0 ? member % perRound : Math.floor(member / SMALL_GROUP);
    return { group_id: `g_small_${round * perRound + group}`, user_id: userId(member) };
  });
  await fillStore(store, "group_members", IN_LARGE_GROUP, (index) => {
    return { group_id: groupId, user_id: userId(index) };
  });
  const expiresAt = Date.now() + 3_600_000;
  await fillStore(store, "member_tokens", STREAMS, (index) => {
    const hash = createHash("sha256").update(tokenOf(index)).digest("base64url");
    return { token_hash: hash, user_id: userId(index), expires_at: expiresAt };
  });
}
