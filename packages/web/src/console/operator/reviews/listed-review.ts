import type { operatorApi } from "../../../shared/session/console.ts";

/** A page of reviews. */
export type ReviewPage = Awaited<ReturnType<typeof operatorApi.listReviews>>;

/** A review as operators list it. */
export type ListedReview = ReviewPage["items"][number];
