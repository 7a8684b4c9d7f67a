import { LIMITS } from "@portico/protocol";
import type { Conversation } from "@portico/protocol/schemas";
import { memberApi, memberSession } from "../../shared/session/member.ts";

type List = Promise<Conversation[]>;

/** Asked for, and not taken yet. */
let ahead: { person: string; list: List } | null = null;

/** Asks for the conversations of who is signed in before there is a messenger, whose code is still being loaded. */
export function askAhead(): void {
  const { person } = memberSession;
  if (person === null) return;
  const list = readList();
  // It is told to whoever takes it.
  list.catch(() => {});
  ahead = { person, list };
}

/** What was asked for ahead for a person, once; null when nothing was. */
export function takeAhead(person: string): List | null {
  const taken = ahead?.person === person ? ahead.list : null;
  ahead = null;
  return taken;
}

/** Reads the list a page at a time: an answer has an end, a list has none. */
export async function readList(): Promise<Conversation[]> {
  const items: Conversation[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await memberApi.listConversations({ query: { pageSize: LIMITS.conversationsPageSize, cursor } });
    items.push(...page.items);
    if (typeof page.nextCursor !== "string") return items;
    cursor = page.nextCursor;
  }
}
