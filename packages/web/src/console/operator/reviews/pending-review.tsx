import { Button } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { ErrorNotice } from "../../../shared/ui/error-notice.tsx";
import { Pill } from "../../../shared/ui/pill.tsx";
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

/** A review that waits: who asks for what, what is other than before, and the decision. */
export function PendingReview({ review }: { review: ListedReview }) {
  const say = useWords(REVIEWS);
  const sayConsole = useWords(CONSOLE);
  const toast = useToast();
  const [isRejecting, setRejecting] = useState(false);
  const { app, owner, note, submittedAt, revision } = review;
  const approve = useOperatorChange(() =>
    operatorApi.approveReview({ params: { appId: app.appId }, body: { revision } }),
  );
  const onApprove = () => {
    if (approve.isPending) return;
    approve.mutate(undefined, {
      onSuccess: () => {
        toast(say("wasApproved", { name: app.displayName }));
        // The button goes with the review.
        document.querySelector("main")?.focus({ preventScroll: true });
      },
    });
  };
  return (
    <article className={styles.review} aria-label={app.displayName}>
      <header className={styles.head}>
        <AppName app={app} />
        <div className={styles.decision}>
          <Button loading={approve.isPending} onClick={onApprove}>
            {say("approve")}
          </Button>
          <Button danger disabled={approve.isPending} onClick={() => setRejecting(true)}>
            {say("reject")}
          </Button>
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
      {approve.isError && <ErrorNotice error={approve.error} />}
      {isRejecting && <RejectDialog app={app} onDone={() => setRejecting(false)} />}
    </article>
  );
}
