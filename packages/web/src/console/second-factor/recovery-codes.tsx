import { CopyButton } from "../../shared/ui/copy-button.tsx";
import { useWords } from "../../shared/words/words.ts";
import styles from "./second-factor.module.css";
import { SECOND_FACTOR } from "./words.ts";

/** Recovery codes, which are shown this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const say = useWords(SECOND_FACTOR);
  return (
    <>
      <p className={styles.lead}>{say("codesLead")}</p>
      <ul className={styles.codes} aria-label={say("codesList")}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <CopyButton text={codes.join("\n")} label={say("codesList")} />
      </p>
    </>
  );
}
