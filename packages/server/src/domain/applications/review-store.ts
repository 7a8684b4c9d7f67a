import { isScope, type ReviewedField, type Scope } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";

/** A review that is waiting for an operator. */
export interface PendingReview {
  reviewId: number;
  note: string;
  /** The requested scopes. */
  scopes: Scope[];
}

/** A submission for review. */
export interface Submission {
  appId: string;
  note: string;
  scopes: readonly Scope[];
  /** developerId. */
  submittedBy: string;
  now: number;
}

/** The result of a review, and who decided; a withdrawn review has no reviewer. */
export type Outcome =
  | { state: "WITHDRAWN" }
  | ({ state: "REJECTED" } & Decision)
  | ({ state: "APPROVED"; approved: ReviewedState } & Decision);

interface Decision {
  /** developerId. */
  reviewedBy: string;
  comment: string | null;
  now: number;
}

/** What a reviewer judges of an application, each field as a list of texts. */
export type ReviewedState = Record<ReviewedField, string[]>;

/** The waiting review of a locked application; null when there is none. */
export async function findPending(tx: Db, appId: string): Promise<PendingReview | null> {
  const row = await tx
    .selectFrom("app_reviews")
    .select(["review_id as reviewId", "note", "scopes"])
    .where("app_id", "=", appId)
    .where("state", "=", "PENDING")
    .executeTakeFirst();
  return row === undefined ? null : { ...row, scopes: parseScopes(row.scopes) };
}

/** Opens a review for a locked application that has none waiting. */
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

/** Replaces the scopes that a waiting review asks for. */
export async function setReviewScopes(tx: Db, reviewId: number, scopes: readonly Scope[]): Promise<void> {
  await tx
    .updateTable("app_reviews")
    .set({ scopes: JSON.stringify(scopes) })
    .where("review_id", "=", reviewId)
    .where("state", "=", "PENDING")
    .execute();
}

/** Ends a review if it is still waiting; of several concurrent calls, one succeeds. */
export async function closeReview(tx: Db, reviewId: number, outcome: Outcome): Promise<boolean> {
  const { state } = outcome;
  const by =
    state === "WITHDRAWN"
      ? {}
      : { reviewed_by: outcome.reviewedBy, reviewed_at: outcome.now, comment: outcome.comment };
  const approved = state === "APPROVED" ? { approved: JSON.stringify(outcome.approved) } : {};
  const { numUpdatedRows } = await tx
    .updateTable("app_reviews")
    .set({ state, ...by, ...approved })
    .where("review_id", "=", reviewId)
    .where("state", "=", "PENDING")
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** An approval of an application. */
export interface Approval {
  at: number;
  /** What was approved; null where that was not recorded. */
  approved: Partial<ReviewedState> | null;
}

/** The newest approval of each of several applications; those never approved are left out. */
export async function findLastApprovals(db: Db, appIds: readonly string[]): Promise<Map<string, Approval>> {
  const rows = await db
    .selectFrom("apps")
    .innerJoin("app_reviews", (join) =>
      join.on("app_reviews.review_id", "=", (eb) =>
        eb
          .selectFrom("app_reviews as reviews")
          .select((of) => of.fn.max("reviews.review_id").as("newest"))
          .whereRef("reviews.app_id", "=", "apps.app_id")
          .where("reviews.state", "=", "APPROVED"),
      ),
    )
    .select(["apps.app_id as appId", "app_reviews.reviewed_at as at", "app_reviews.approved"])
    .where("apps.app_id", "in", appIds)
    .execute();
  return new Map(
    rows.map(({ appId, at, approved }) => [
      appId,
      { at: at ?? 0, approved: approved === null ? null : JSON.parse(approved) },
    ]),
  );
}

/** Parses the scopes of a stored review. */
export function parseScopes(json: string): Scope[] {
  const names: unknown = JSON.parse(json);
  return Array.isArray(names) ? names.filter((name) => typeof name === "string" && isScope(name)) : [];
}
