import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { MemberErasure, MemberExport } from "@portico/protocol/schemas";
import type { ConsoleClient } from "./console.ts";

/** The path of the calls about one member. */
export function memberPath(userId: string, tenantId = "t_acme"): string {
  return `operator/tenants/${tenantId}/members/${userId}`;
}

/** Waits until an erasure is so far; rejects when that takes too long. */
export async function erasureUntil(
  operator: ConsoleClient,
  userId: string,
  isSo: (erasure: MemberErasure) => boolean = ({ state }) => state === "DONE",
): Promise<MemberErasure> {
  const deadline = performance.now() + 60_000;
  // Over PostgreSQL the next process waits for the lease of a killed one: to ask 100 times a second costs more than all the rest.
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.2, 100)) {
    const erasure: MemberErasure = await operator.ok("GET", `${memberPath(userId)}/erasure`);
    if (isSo(erasure)) return erasure;
    assert.ok(performance.now() < deadline, `the erasure is no further than ${JSON.stringify(erasure)}`);
    await setTimeout(pauseMs);
  }
}

/** All that an export tells, page by page. */
export async function exported(operator: ConsoleClient, userId: string): Promise<MemberExport["items"]> {
  const items: MemberExport["items"] = [];
  for (let cursor: string | undefined; ; ) {
    const page: MemberExport = await operator.ok("POST", `${memberPath(userId)}/export`, { cursor });
    assert.ok(page.items.length <= 200);
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}
