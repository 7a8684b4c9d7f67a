import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import type { useVerify } from "./event-queries.ts";
import styles from "./events-page.module.css";
import { EVENTS } from "./words.ts";

/** What came of asking the address. */
export function VerifyResult({ verify: { data, error, isPending } }: { verify: ReturnType<typeof useVerify> }) {
  const say = useWords(EVENTS);
  const format = useFormat();
  if (error !== null) return <ErrorNotice error={error} />;
  const isShown = data !== undefined && !isPending;
  return (
    <div role="status" className={styles.verified} data-passed={isShown ? data.passed : undefined}>
      {isPending && say("verifying")}
      {isShown && (
        <>
          <strong>
            {say(data.passed ? "verified" : "notVerified", { duration: format.duration(data.durationMs) })}
          </strong>
          {!data.passed && <span>{say("notVerifiedHint")}</span>}
        </>
      )}
    </div>
  );
}
