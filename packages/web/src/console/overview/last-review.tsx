import type { AppReview, ReviewState } from "@portico/protocol";
import { Pill, type Tone } from "../../shared/ui/pill.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import styles from "./review-section.module.css";
import { OVERVIEW } from "./words.ts";

const STATES = {
  PENDING: { word: "reviewPending", tone: "warn" },
  APPROVED: { word: "reviewApproved", tone: "good" },
  REJECTED: { word: "reviewRejected", tone: "bad" },
  WITHDRAWN: { word: "reviewWithdrawn", tone: "neutral" },
} as const satisfies Record<ReviewState, { word: string; tone: Tone }>;

/** What became of the last submission. */
export function LastReview({ review }: { review: AppReview }) {
  const say = useWords(OVERVIEW);
  const { word, tone } = STATES[review.state];
  return (
    <dl className={styles.review}>
      <dt>{say("reviewState")}</dt>
      <dd>
        <Pill tone={tone}>{say(word)}</Pill> <TimeAgo at={review.reviewedAt ?? review.submittedAt} />
      </dd>
      {review.comment !== null && review.comment !== "" && (
        <>
          <dt>{say("comment")}</dt>
          <dd className={styles.said}>{review.comment}</dd>
        </>
      )}
      {review.scopes.length > 0 && (
        <>
          <dt>{say("askedFor")}</dt>
          <dd className={styles.scopes}>
            {review.scopes.map((scope) => (
              <code key={scope}>{scope}</code>
            ))}
          </dd>
        </>
      )}
      {review.note !== "" && (
        <>
          <dt>{say("yourNote")}</dt>
          <dd className={styles.said}>{review.note}</dd>
        </>
      )}
    </dl>
  );
}
