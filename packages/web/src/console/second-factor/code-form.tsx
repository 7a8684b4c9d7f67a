import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../shared/ui/button.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { TextField } from "../../shared/ui/text-field.tsx";
import { useWords } from "../../shared/words/words.ts";
import styles from "./second-factor.module.css";
import { SECOND_FACTOR } from "./words.ts";

/** Asks for a code, and sends it by a button. */
export function CodeForm({
  isRecovery = false,
  isFocused = true,
  isPending,
  error,
  onCode,
  before,
  options,
  children,
}: {
  /** Whether it is a recovery code. */
  isRecovery?: boolean;
  isFocused?: boolean;
  isPending: boolean;
  error: unknown;
  onCode: (code: string) => void;
  /** What stands above the field. */
  before?: ReactNode;
  /** What stands between the field and the button. */
  options?: ReactNode;
  /** What can be done instead. */
  children?: ReactNode;
}) {
  const say = useWords(SECOND_FACTOR);
  const [code, setCode] = useState("");
  const [isChecked, setChecked] = useState(false);
  const isMissing = code.trim() === "";

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    setChecked(true);
    if (isMissing) event.currentTarget.querySelector("input")?.focus();
    // A code is good for one call.
    else if (!isPending) onCode(code.trim());
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {before}
      <TextField
        label={say(isRecovery ? "recoveryCode" : "code")}
        fault={isChecked && isMissing ? say("needCode") : undefined}
        autoComplete="one-time-code"
        inputMode={isRecovery ? "text" : "numeric"}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={isFocused}
        maxLength={64}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      {options}
      {error !== null && error !== undefined && <ErrorNotice error={error} />}
      <Button kind="primary" type="submit" isBusy={isPending}>
        {say("proceed")}
      </Button>
      {children}
    </form>
  );
}
