import { Link } from "react-router";
import type { CallAnswer } from "../../shared/calls/make-call.ts";
import { usePreferences } from "../../shared/look/preferences.ts";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { Pill } from "../../shared/ui/pill.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { reasonInWords } from "../requests/reason-in-words.ts";
import styles from "./explorer.module.css";
import { EXPLORER } from "./words.ts";

/** Headers of the connection, which say nothing of the call. */
const UNTOLD = new Set(["connection", "date", "keep-alive", "transfer-encoding", "vary"]);

/** What the service answered, and the way to its own record of the call. */
export function AnswerView({ answer }: { answer: CallAnswer }) {
  const say = useWords(EXPLORER);
  const format = useFormat();
  const { locale } = usePreferences();
  const { appId } = useApp().app;
  const { status, envelope, headers } = answer;
  const isSuccess = status >= 200 && status < 300;
  const told = headers.filter(([name]) => !UNTOLD.has(name)).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <div className={styles.verdict}>
        <Pill tone={isSuccess ? "good" : "bad"}>
          {status} {say(isSuccess ? "succeeded" : "refused")}
        </Pill>
        <span className={styles.quiet}>{say("took", { time: format.duration(answer.tookMs) })}</span>
        {envelope && (
          <Link to={`/apps/${encodeURIComponent(appId)}/requests?reqNo=${encodeURIComponent(envelope.reqNo)}`}>
            {say("explain")}
          </Link>
        )}
      </div>
      {!isSuccess && envelope && (
        <p>
          <code>{envelope.code}</code> {reasonInWords(envelope.message, envelope.code, locale)}
        </p>
      )}
      <CodeBlock title={say("answerBody")} text={answer.text} />
      <CodeBlock title={say("headers")} text={told.join("\n")} />
      {answer.signedText !== null && <CodeBlock title={say("signedText")} text={answer.signedText} />}
    </>
  );
}
