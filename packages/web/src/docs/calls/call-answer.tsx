import { englishOf } from "@portico/protocol/errors";
import type { CallAnswer } from "../../shared/calls/make-call.ts";
import { usePreferences } from "../../shared/look/preferences.ts";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { Pill } from "../../shared/ui/pill.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DOCS } from "../words.ts";
import styles from "./try-it.module.css";

/** What a call was answered, and what was signed for it. */
export function CallAnswerView({ answer: { status, tookMs, text, envelope, signedText } }: { answer: CallAnswer }) {
  const say = useWords(DOCS);
  const { locale } = usePreferences();
  // The service says refusals in Chinese.
  const english = envelope === undefined || status < 400 || locale === "zh-CN" ? null : englishOf(envelope);
  return (
    <div className={styles.answer}>
      <p role="status">
        <Pill tone={status < 400 ? "good" : "bad"}>{say("answered", { status, ms: Math.round(tookMs) })}</Pill>
      </p>
      {english && <p>{english}</p>}
      {text === "" ? <p className={styles.quiet}>{say("noBody")}</p> : <CodeBlock title={say("answer")} text={text} />}
      {signedText !== null && (
        <details>
          <summary>{say("signedText")}</summary>
          <CodeBlock title={say("signedText")} text={signedText} />
        </details>
      )}
    </div>
  );
}
