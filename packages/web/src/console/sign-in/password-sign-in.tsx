import type { SecondStep } from "@portico/protocol";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { consoleApi, consoleSession } from "../../shared/session/console.ts";
import { Button } from "../../shared/ui/button.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { TextField } from "../../shared/ui/text-field.tsx";
import { useWords } from "../../shared/words/words.ts";
import { CONSOLE } from "../words.ts";
import styles from "./password-sign-in.module.css";

const FIELDS = ["phone", "password", "channelId"] as const;
const FIRST = { phone: "", password: "", channelId: "1" };
/** Few enough digits to be an exact number. */
const CHANNEL = /^\d{1,9}$/;

/** Sign-in by phone number and password; a number counts within its channel. */
export function PasswordSignIn({ onSecond }: { onSecond: (second: SecondStep["secondFactor"]) => void }) {
  const say = useWords(CONSOLE);
  const [fields, setFields] = useState(FIRST);
  const [isChecked, setChecked] = useState(false);
  const signIn = useMutation({
    mutationFn: ({ phone, password, channelId }: typeof FIRST) =>
      consoleApi.login({ body: { phone: phone.trim(), password, channelId: Number(channelId) } }),
    onSuccess: (answer) => ("secondFactor" in answer ? onSecond(answer.secondFactor) : consoleSession.start(answer)),
  });
  const faults = {
    phone: fields.phone.trim() === "" ? say("needPhone") : undefined,
    password: fields.password === "" ? say("needPassword") : undefined,
    channelId: CHANNEL.test(fields.channelId.trim()) ? undefined : say("needChannel"),
  };

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    setChecked(true);
    const wrong = FIELDS.find((name) => faults[name] !== undefined);
    if (wrong !== undefined) event.currentTarget.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus();
    // A second press while the first is under way signs in once.
    else if (!signIn.isPending) signIn.mutate(fields);
  }

  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    value: fields[name],
    fault: isChecked ? faults[name] : undefined,
    onChange: ({ target }: { target: HTMLInputElement }) => setFields({ ...fields, [name]: target.value }),
  });
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        {...field("phone")}
        label={say("phone")}
        autoComplete="username"
        inputMode="tel"
        autoFocus
        maxLength={64}
      />
      <TextField
        {...field("password")}
        label={say("password")}
        type="password"
        autoComplete="current-password"
        maxLength={1_024}
      />
      <TextField
        {...field("channelId")}
        label={say("channel")}
        hint={say("channelHint")}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
      />
      {signIn.isError && <ErrorNotice error={signIn.error} />}
      <Button kind="primary" type="submit" isBusy={signIn.isPending}>
        {say("signIn")}
      </Button>
    </form>
  );
}
