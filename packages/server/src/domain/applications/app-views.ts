import type { AppOwner, AppReview, ConsoleAppView } from "@portico/protocol";
import type { Db } from "../../platform/storage/schema.ts";
import { maskPhone } from "../directory/mask-phone.ts";
import type { AppFields } from "./locked-app.ts";
import { parseScopes } from "./review-store.ts";

/** Selects applications with their owner and newest review. */
export function selectAppRows(db: Db) {
  return db
    .selectFrom("apps")
    .leftJoin("developers", "developers.developer_id", "apps.owner_id")
    .leftJoin("app_reviews", (join) =>
      join.on("app_reviews.review_id", "=", (eb) =>
        eb
          .selectFrom("app_reviews as reviews")
          .select((of) => of.fn.max("reviews.review_id").as("newest"))
          .whereRef("reviews.app_id", "=", "apps.app_id"),
      ),
    )
    .select([...appColumns, ...ownerColumns, ...reviewColumns]);
}

export const appColumns = [
  "apps.app_id as appId",
  "apps.type",
  "apps.tenant_id as tenantId",
  "apps.owner_id as ownerId",
  "apps.status",
  "apps.disabled_reason as disabledReason",
  "apps.display_name as displayName",
  "apps.avatar",
  "apps.description",
  "apps.created_at as createdAt",
] as const;

export const ownerColumns = ["developers.name as ownerName", "developers.phone as ownerPhone"] as const;

export const reviewColumns = [
  "app_reviews.state",
  "app_reviews.note",
  "app_reviews.scopes",
  "app_reviews.submitted_at as submittedAt",
  "app_reviews.reviewed_at as reviewedAt",
  "app_reviews.comment",
] as const;

interface AppRow extends AppFields {
  disabledReason: string | null;
  createdAt: number;
}

interface OwnerRow {
  ownerId: string | null;
  ownerName: string | null;
  ownerPhone: string | null;
}

type ReviewRow = Omit<AppReview, "scopes"> & { scopes: string };
/** The review columns are null when there is no review. */
type NewestReviewRow = { [Name in keyof ReviewRow]: ReviewRow[Name] | null };

/** An application without its review. */
export function appOf(row: AppRow): Omit<ConsoleAppView, "review"> {
  const { appId, type, tenantId, ownerId, status, disabledReason, displayName, avatar, description, createdAt } = row;
  return { appId, type, tenantId, ownerId, status, disabledReason, displayName, avatar, description, createdAt };
}

/** The owner, as shown to operators. */
export function ownerOf({ ownerId, ownerName, ownerPhone }: OwnerRow): AppOwner | null {
  if (ownerId === null || ownerName === null || ownerPhone === null) return null;
  return { developerId: ownerId, name: ownerName, phone: maskPhone(ownerPhone) };
}

/** A review. */
export function reviewOf({ state, note, scopes, submittedAt, reviewedAt, comment }: ReviewRow): AppReview {
  return { state, note, scopes: parseScopes(scopes), submittedAt, reviewedAt, comment };
}

/** An application as shown to developers. */
export function appViewOf(row: AppRow & NewestReviewRow): ConsoleAppView {
  return { ...appOf(row), review: hasReview(row) ? reviewOf(row) : null };
}

function hasReview(row: NewestReviewRow): row is ReviewRow {
  return row.state !== null;
}

/** An application as shown to operators. */
export function operatorViewOf(row: AppRow & OwnerRow & NewestReviewRow): ConsoleAppView & { owner: AppOwner | null } {
  return { ...appViewOf(row), owner: ownerOf(row) };
}
