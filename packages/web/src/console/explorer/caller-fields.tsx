import { Button, Input } from "antd";
import { useId, useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useCredentialsQuery } from "../credentials/credentials-queries.ts";
import styles from "./explorer.module.css";
import { type Caller, readCredential } from "./read-credential.ts";
import { EXPLORER } from "./words.ts";

/** The credential and its secret. The secret is no password field, which browsers offer to keep. */
export function CallerFields({ caller, onChange }: { caller: Caller; onChange: (caller: Caller) => void }) {
  const say = useWords(EXPLORER);
  const { data: credentials } = useCredentialsQuery(useApp().app.appId);
  const current = credentials?.find(({ status }) => status === "CURRENT")?.credential;
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
          placeholder={current === undefined ? "cred_…" : `cred_…${current}`}
          onPaste={(event) => {
            const whole = readCredential(event.clipboardData.getData("text"));
            if (whole === null) return;
            event.preventDefault();
            onChange(whole);
          }}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange({ ...caller, credentialId: target.value.trim() })}
        />
        <span className={styles.hint}>
          {current === undefined ? say("credentialHint") : say("credentialHintCurrent", { current })}
        </span>
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
