import { createHash } from "node:crypto";
import type { Scope } from "@portico/protocol";
import { REVIEWED_FIELDS, type ReviewChange } from "@portico/protocol/schemas";
import type { AppProfile } from "../../../domain/applications/locked-app.ts";
import { listOrigins } from "../../../domain/applications/origin-store.ts";
import { findLastApproval, type ReviewedState } from "../../../domain/applications/review-store.ts";
import { findScopes } from "../../../domain/applications/scope-store.ts";
import { findWidget } from "../../../domain/applications/widget-store.ts";
import { listSubscriptions } from "../../../domain/webhooks/subscription-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";

/** What there is to be judged of an application, with the scopes that its review asks for. */
export async function readReviewedState(
  db: Db,
  { appId, displayName, avatar, description }: AppProfile & { appId: string },
  asked: readonly Scope[],
): Promise<ReviewedState> {
  const [origins, { anonymousVisitors }] = [await listOrigins(db, appId), await findWidget(db, appId)];
  const [scopes, subscriptions] = [await findScopes(db, appId), await listSubscriptions(db, appId)];
  const granted = [...scopes].filter(([, state]) => state === "GRANTED").map(([scope]) => scope);
  return {
    displayName: textOf(displayName),
    avatar: textOf(avatar),
    description: textOf(description),
    allowedOrigins: origins,
    anonymousVisitors: anonymousVisitors ? ["true"] : [],
    callbacks: subscriptions.map(({ eventType, transport, callbackUrl }) => `${eventType} ${callbackUrl ?? transport}`),
    scopes: [...new Set([...granted, ...asked])].sort(),
  };
}

function textOf(text: string): string[] {
  return text === "" ? [] : [text];
}

/** Names a state, so that an approval can say which one it was about. */
export function revisionOf(state: ReviewedState): string {
  return createHash("sha256").update(JSON.stringify(state)).digest("base64url").slice(0, 22);
}

/** When an application was last approved, and what of it is another now; null changes where that is not known. */
export async function changesSinceApproval(
  db: Db,
  appId: string,
  state: ReviewedState,
): Promise<{ approvedAt: number | null; changes: ReviewChange[] | null }> {
  const last = await findLastApproval(db, appId);
  if (last !== null && last.approved === null) return { approvedAt: last.at, changes: null };
  const approved = last?.approved ?? {};
  const changes = REVIEWED_FIELDS.map((field) => ({ field, before: approved[field] ?? [], after: state[field] }));
  return {
    approvedAt: last?.at ?? null,
    changes: changes.filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after)),
  };
}
