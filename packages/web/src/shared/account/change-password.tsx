import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { memberApi } from "../session/member.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { TextField } from "../ui/text-field.tsx";
import { useWords } from "../words/words.ts";
import styles from "./account-dialog.module.css";
import { SIGN_INS } from "./dialog-words.ts";

const FIELDS = ["currentPassword", "newPassword"] as const;
const MIN_LENGTH = 8;

const EMPTY = { currentPassword: "", newPassword: "" };

/** Changes the member's own password. */
export function ChangePassword() {
  const say = useWords(SIGN_INS);
  const [fields, setFields] = useState(EMPTY);
  const [isChecked, setChecked] = useState(false);
  const change = useMutation({
    mutationFn: (body: typeof EMPTY) => memberApi.changePassword({ body }),
    onSuccess() {
      setFields(EMPTY);
      setChecked(false);
    },
  });
  const faults = {
    currentPassword: fields.currentPassword === "" ? say("needCurrent") : undefined,
    newPassword: [...fields.newPassword].length < MIN_LENGTH ? say("needNew") : undefined,
  };

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    setChecked(true);
    const wrong = FIELDS.find((name) => faults[name] !== undefined);
    if (wrong !== undefined) event.currentTarget.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus();
    else if (!change.isPending) change.mutate(fields);
  }

  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    label: say(name),
    type: "password",
    maxLength: 1_024,
    value: fields[name],
    fault: isChecked ? faults[name] : undefined,
    onChange: ({ target }: { target: HTMLInputElement }) => setFields({ ...fields, [name]: target.value }),
  });
  return (
    <section className={styles.part} aria-label={say("changePassword")}>
      <h3 className={styles.title}>{say("changePassword")}</h3>
      <p>{say("changeLead")}</p>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField {...field("currentPassword")} autoComplete="current-password" />
        <TextField {...field("newPassword")} autoComplete="new-password" hint={say("newPasswordHint")} />
        {change.isError && <ErrorNotice error={change.error} />}
        {change.isSuccess && <p role="status">{say("wasChanged")}</p>}
        <Button kind="primary" type="submit" isBusy={change.isPending}>
          {say("changePassword")}
        </Button>
      </form>
    </section>
  );
}
