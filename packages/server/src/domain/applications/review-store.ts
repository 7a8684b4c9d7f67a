import { isScope, type Scope } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";

/** A review that is waiting. */
export interface PendingReview {
  reviewId: number;
  note: string;
  /** What is asked for. */
  scopes: Scope[];
}

/** What is submitted for review. */
export interface Submission {
  appId: string;
  note: string;
  scopes: readonly Scope[];
  /** developerId. */
  submittedBy: string;
  now: number;
}

/** What became of a review, by whose word; a withdrawn one has been reviewed by nobody. */
export type Outcome =
  | { state: "WITHDRAWN" }
  | { state: "APPROVED" | "REJECTED"; reviewedBy: string; comment: string | null; now: number };

/** The review that is waiting for a locked application; null when none is. */
export async function findPending(tx: Db, appId: string): Promise<PendingReview | null> {
  const row = await tx
    .selectFrom("app_reviews")
    .select(["review_id as reviewId", "note", "scopes"])
    .where("app_id", "=", appId)
    .where("state", "=", "PENDING")
    .executeTakeFirst();
  return row === undefined ? null : { ...row, scopes: parseScopes(row.scopes) };
}

/** Puts a locked application, for which none is waiting, up for review. */
export async function openReview(tx: Db, { appId, note, scopes, submittedBy, now }: Submission): Promise<void> {
  await tx
    .insertInto("app_reviews")
    .values({
      app_id: appId,
      state: "PENDING",
      note,
      scopes: JSON.stringify(scopes),
      submitted_by: submittedBy,
      submitted_at: now,
      reviewed_by: null,
      reviewed_at: null,
      comment: null,
    })
    .execute();
}

/** Makes what a review that is waiting asks for something else. */
export async function setReviewScopes(tx: Db, reviewId: number, scopes: readonly Scope[]): Promise<void> {
  await tx
    .updateTable("app_reviews")
    .set({ scopes: JSON.stringify(scopes) })
    .where("review_id", "=", reviewId)
    .where("state", "=", "PENDING")
    .execute();
}

/** Ends a review, if it is still waiting: of several who try at once, one does. */
export async function closeReview(tx: Db, reviewId: number, outcome: Outcome): Promise<boolean> {
  const { state } = outcome;
  const by =
    state === "WITHDRAWN"
      ? {}
      : { reviewed_by: outcome.reviewedBy, reviewed_at: outcome.now, comment: outcome.comment };
  const { numUpdatedRows } = await tx
    .updateTable("app_reviews")
    .set({ state, ...by })
    .where("review_id", "=", reviewId)
    .where("state", "=", "PENDING")
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Scopes as a review keeps them. */
export function parseScopes(json: string): Scope[] {
  const names: unknown = JSON.parse(json);
  return Array.isArray(names) ? names.filter((name) => typeof name === "string" && isScope(name)) : [];
}
