import { createHash } from "node:crypto";
import type { Scope } from "@portico/protocol";
import { REVIEWED_FIELDS, type ReviewChange } from "@portico/protocol/schemas";
import type { AppProfile } from "../../../domain/applications/locked-app.ts";
import { listOriginsOfEach } from "../../../domain/applications/origin-store.ts";
import { findLastApprovals, type ReviewedState } from "../../../domain/applications/review-store.ts";
import { findGrantedOfEach } from "../../../domain/applications/scope-store.ts";
import { findOpenToAnybody } from "../../../domain/applications/widget-store.ts";
import { listSubscriptionsOfEach } from "../../../domain/webhooks/subscription-store.ts";
import type { Db } from "../../../platform/storage/schema.ts";

/** An application to be judged, with the scopes that its review asks for. */
export interface JudgedApp extends AppProfile {
  appId: string;
  asked: readonly Scope[];
}

/** What there is to be judged of some applications, in their order, by one statement for each kind of thing. */
async function readReviewedStates(db: Db, apps: readonly JudgedApp[]): Promise<ReviewedState[]> {
  if (apps.length === 0) return [];
  const appIds = apps.map(({ appId }) => appId);
  const [origins, open] = [await listOriginsOfEach(db, appIds), await findOpenToAnybody(db, appIds)];
  const [granted, all] = [await findGrantedOfEach(db, appIds), await listSubscriptionsOfEach(db, appIds)];
  return apps.map(({ appId, displayName, avatar, description, asked }) => ({
    displayName: textOf(displayName),
    avatar: textOf(avatar),
    description: textOf(description),
    allowedOrigins: origins.get(appId) ?? [],
    anonymousVisitors: open.has(appId) ? ["true"] : [],
    callbacks: all
      .filter((subscription) => subscription.appId === appId)
      .map(({ eventType, transport, callbackUrl }) => `${eventType} ${callbackUrl ?? transport}`),
    scopes: [...new Set([...(granted.get(appId) ?? []), ...asked])].sort(),
  }));
}

/** The same of one application. */
export async function readReviewedState(db: Db, app: JudgedApp): Promise<ReviewedState> {
  const [state] = await readReviewedStates(db, [app]);
  if (state === undefined) throw new Error("an application has no state to be judged");
  return state;
}

function textOf(text: string): string[] {
  return text === "" ? [] : [text];
}

/** Names a state, so that a decision can say which one it was about. */
export function revisionOf(state: ReviewedState): string {
  return createHash("sha256").update(JSON.stringify(state)).digest("base64url").slice(0, 22);
}

/** What a reviewer judges a waiting review by. */
interface Judged {
  /** When the application was last approved; null for never. */
  approvedAt: number | null;
  /** What of it is another now; null where that is not known. */
  changes: ReviewChange[] | null;
  revision: string;
}

/** What a reviewer judges the applications by, in their order. */
export async function readJudged(db: Db, apps: readonly JudgedApp[]): Promise<Judged[]> {
  if (apps.length === 0) return [];
  const states = await readReviewedStates(db, apps);
  const approvals = await findLastApprovals(
    db,
    apps.map(({ appId }) => appId),
  );
  return states.map((state, index) => {
    const last = approvals.get(apps[index]?.appId ?? "") ?? null;
    const isKnown = last === null || last.approved !== null;
    const changes = isKnown ? changesSince(last?.approved ?? {}, state) : null;
    return { approvedAt: last?.at ?? null, changes, revision: revisionOf(state) };
  });
}

function changesSince(approved: Partial<ReviewedState>, state: ReviewedState): ReviewChange[] {
  return REVIEWED_FIELDS.map((field) => ({ field, before: approved[field] ?? [], after: state[field] })).filter(
    ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
  );
}
