import type { Transport } from "@portico/protocol";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { causeOf, DELIVERY_ADVICE } from "../deliveries/advice-words.ts";
import { AttemptBar } from "../deliveries/attempt-bar.tsx";
import { prettyJson } from "../deliveries/pretty-json.ts";
import { REASONS, wordOfReason } from "../deliveries/reason-words.ts";
import { DELIVERIES } from "../deliveries/words.ts";
import type { useVerify } from "./event-queries.ts";
import styles from "./events-page.module.css";
import { EVENTS } from "./words.ts";

/** What came of asking the address, or of looking for a connection. */
export function VerifyResult({
  verify: { data, error, isPending },
  transport,
}: {
  verify: ReturnType<typeof useVerify>;
  transport: Transport;
}) {
  const say = useWords(EVENTS);
  if (error !== null) return <ErrorNotice error={error} />;
  const isShown = data !== undefined && !isPending;
  return (
    <div role="status" className={styles.verified} data-passed={isShown ? data.passed : undefined}>
      {isPending && say(transport === "SOCKET" ? "looking" : "verifying")}
      {isShown && <Verified {...data} />}
    </div>
  );
}

type Verification = NonNullable<ReturnType<typeof useVerify>["data"]>;

/** The verdict, where the time went, and of an address that did not pass what to look at. */
function Verified({ passed, attempt }: Verification) {
  const say = useWords(EVENTS);
  const sayAdvice = useWords(DELIVERY_ADVICE);
  const sayDeliveries = useWords(DELIVERIES);
  const sayReason = useWords(REASONS);
  const format = useFormat();
  const { status, reason, durationMs, answer } = attempt;
  if (attempt.address === "socket") return <strong>{say(passed ? "connected" : "notConnected")}</strong>;
  const came = status === null ? wordOfReason(reason, sayReason) : `HTTP ${status}`;
  return (
    <>
      <strong>
        {say(passed ? "verified" : "notVerified", { duration: format.duration(durationMs), answer: came })}
      </strong>
      {!passed && <span>{sayAdvice(causeOf(status, reason ?? ""))}</span>}
      {!passed && <span>{say("notVerifiedHint")}</span>}
      <AttemptBar attempt={attempt} longestMs={durationMs} />
      {!passed && answer !== "" && <CodeBlock title={sayDeliveries("receiverSaid")} text={prettyJson(answer)} />}
    </>
  );
}
