import { Button } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { ErrorNotice } from "../../../shared/ui/error-notice.tsx";
import { Pill, type Tone } from "../../../shared/ui/pill.tsx";
import { TimeAgo } from "../../../shared/ui/time-ago.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { APP_TYPE_WORDS } from "../../app/app-status.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { CONSOLE } from "../../words.ts";
import { AppName } from "../apps/app-name.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import type { ListedReview } from "./listed-review.ts";
import { RejectDialog } from "./reject-dialog.tsx";
import { ReviewChanges } from "./review-changes.tsx";
import styles from "./reviews.module.css";
import { REVIEWS } from "./words.ts";

/** What became of a review while it was looked at. */
type Fate = "approved" | "rejected" | "decidedElsewhere";

const TONES = { approved: "good", rejected: "bad", decidedElsewhere: "neutral" } as const satisfies Record<Fate, Tone>;

/**
 * A review that waits: who asks for what, what is other than before, and the decision.
 *
 * @param isGone whether it does not wait any more. It stays as it was, so that nothing moves under the pointer.
 */
export function PendingReview({ review, isGone }: { review: ListedReview; isGone: boolean }) {
  const say = useWords(REVIEWS);
  const sayConsole = useWords(CONSOLE);
  const toast = useToast();
  const [isRejecting, setRejecting] = useState(false);
  const [decision, setDecision] = useState<Fate | null>(null);
  const fate = isGone ? (decision ?? "decidedElsewhere") : decision;
  const { app, owner, note, submittedAt, revision } = review;
  const approve = useOperatorChange(() =>
    operatorApi.approveReview({ params: { appId: app.appId }, body: { revision } }),
  );
  const onApprove = () => {
    if (approve.isPending) return;
    approve.mutate(undefined, {
      onSuccess: () => {
        toast(say("wasApproved", { name: app.displayName }));
        setDecision("approved");
        // The button goes with the decision.
        document.querySelector("main")?.focus({ preventScroll: true });
      },
    });
  };
  return (
    <article className={styles.review} aria-label={app.displayName} data-decided={fate !== null || undefined}>
      <header className={styles.head}>
        <AppName app={app} />
        <div className={styles.decision}>
          {fate === null ? (
            <>
              <Button loading={approve.isPending} onClick={onApprove}>
                {say("approve")}
              </Button>
              <Button danger disabled={approve.isPending} onClick={() => setRejecting(true)}>
                {say("reject")}
              </Button>
            </>
          ) : (
            <Pill tone={TONES[fate]}>{say(fate)}</Pill>
          )}
        </div>
      </header>
      <p className={styles.origin}>
        <Pill>{sayConsole(APP_TYPE_WORDS[app.type])}</Pill>
        <code>{app.tenantId}</code>
        {owner !== null && (
          <span>
            {owner.name} <code>{owner.phone}</code>
          </span>
        )}
        <span>
          {say("submitted")} <TimeAgo at={submittedAt} />
        </span>
      </p>
      {note !== "" && <blockquote className={styles.note}>{note}</blockquote>}
      <ReviewChanges review={review} />
      {approve.isError && fate === null && <ErrorNotice error={approve.error} />}
      {isRejecting && (
        <RejectDialog review={review} onRejected={() => setDecision("rejected")} onDone={() => setRejecting(false)} />
      )}
    </article>
  );
}
