import { ConsoleRefusedError } from "@portico/protocol/client";
import { Button, Progress } from "antd";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./deliveries.module.css";
import { useCancelJob, useRedeliveryJob } from "./delivery-queries.ts";
import { DELIVERIES } from "./words.ts";

const STATE_WORDS = { RUNNING: "jobRunning", DONE: "jobDone", CANCELLED: "jobCancelled" } as const;

/** How far the sending of a range has come; the owner may stop it. */
export function RedeliveryProgress({
  appId,
  jobId,
  isOwner,
  onDismiss,
}: {
  appId: string;
  jobId: string;
  isOwner: boolean;
  onDismiss: () => void;
}) {
  const say = useWords(DELIVERIES);
  const format = useFormat();
  const { data: job, error, refetch } = useRedeliveryJob(appId, jobId);
  const cancel = useCancelJob(appId, jobId);
  // Jobs are kept for a while only; an address with an old one is no failure.
  if (error instanceof ConsoleRefusedError && error.status === 404) return null;
  if (error !== null) return <ErrorNotice error={error} onRetry={refetch} />;
  if (job === undefined) return null;
  const { state, total, redelivered, skipped } = job;
  const done = redelivered + skipped;
  const isRunning = state === "RUNNING";
  return (
    <div className={styles.job} role="status">
      <div className={styles.jobText}>
        <strong>{say(STATE_WORDS[state])}</strong>
        <span>
          {say("jobProgress", { done: format.number(done), total: format.number(total) })}
          {skipped > 0 && say("jobSkipped", { skipped: format.number(skipped) })}
        </span>
      </div>
      <Progress
        percent={total === 0 ? 100 : Math.round((Math.min(done, total) / total) * 100)}
        status={isRunning ? "active" : state === "DONE" ? "success" : "normal"}
        showInfo={false}
        size="small"
        aria-label={say(STATE_WORDS[state])}
      />
      {isRunning && isOwner && (
        <Button size="small" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {say("cancelJob")}
        </Button>
      )}
      {!isRunning && (
        <Button size="small" onClick={onDismiss}>
          {say("dismiss")}
        </Button>
      )}
      {cancel.error !== null && <ErrorNotice error={cancel.error} />}
    </div>
  );
}
