import { Button, Input } from "antd";
import { useId, useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./explorer.module.css";
import { EXPLORER } from "./words.ts";

/** Who makes the calls. */
export interface Caller {
  credentialId: string;
  appSecret: string;
}

/** The credential and its secret. The secret is no password field, which browsers offer to keep. */
export function CallerFields({ caller, onChange }: { caller: Caller; onChange: (caller: Caller) => void }) {
  const say = useWords(EXPLORER);
  const id = useId();
  const [isShown, setShown] = useState(false);
  return (
    <fieldset className={styles.fields}>
      <legend>{say("identity")}</legend>
      <div className={styles.field}>
        <label htmlFor={`${id}credential`}>{say("credential")}</label>
        <Input
          id={`${id}credential`}
          className={styles.mono}
          value={caller.credentialId}
          placeholder="cred_…"
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange({ ...caller, credentialId: target.value.trim() })}
        />
        <span className={styles.hint}>{say("credentialHint")}</span>
      </div>
      <div className={styles.field}>
        <label htmlFor={`${id}secret`}>{say("secret")}</label>
        <span className={styles.secret}>
          <Input
            id={`${id}secret`}
            className={isShown ? styles.mono : styles.hidden}
            value={caller.appSecret}
            maxLength={512}
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="off"
            spellCheck={false}
            data-1p-ignore
            onChange={({ target }) => onChange({ ...caller, appSecret: target.value.trim() })}
          />
          <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {say(isShown ? "hide" : "show")}
          </Button>
        </span>
        <span className={styles.hint}>{say("secretHint")}</span>
      </div>
    </fieldset>
  );
}
