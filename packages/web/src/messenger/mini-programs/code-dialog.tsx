import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { memberApi } from "../../shared/session/member.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { Dialog } from "../../shared/ui/dialog.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { TextField } from "../../shared/ui/text-field.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";
import styles from "./code-dialog.module.css";

/** Makes the code that a mini program would get from the messenger, for its developer to try. */
export function CodeDialog({ onClose }: { onClose: () => void }) {
  const say = useWords(MESSENGER);
  const [appId, setAppId] = useState("");
  const [isChecked, setChecked] = useState(false);
  const code = useMutation({ mutationFn: (id: string) => memberApi.createMiniappCode({ body: { appId: id } }) });
  const isMissing = appId.trim() === "";

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    setChecked(true);
    if (isMissing) event.currentTarget.querySelector("input")?.focus();
    else if (!code.isPending) code.mutate(appId.trim());
  }

  return (
    <Dialog title={say("miniProgramCode")} onClose={onClose}>
      <p>{say("miniProgramLead")}</p>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label={say("appId")}
          fault={isChecked && isMissing ? say("needAppId") : undefined}
          autoFocus
          autoComplete="off"
          maxLength={64}
          spellCheck={false}
          value={appId}
          onChange={({ target }) => setAppId(target.value)}
        />
        {code.isError && <ErrorNotice error={code.error} />}
        {code.data && (
          <p role="status" className={styles.code}>
            <Copyable text={code.data.code} label={say("code")} />
            <span className={styles.until}>
              {say("expires")} <TimeAgo at={code.data.expiresAt} />
            </span>
          </p>
        )}
        <Button kind="primary" type="submit" isBusy={code.isPending}>
          {say("getCode")}
        </Button>
      </form>
    </Dialog>
  );
}
