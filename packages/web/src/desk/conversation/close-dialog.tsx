import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog } from "../../shared/ui/dialog.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { TextField } from "../../shared/ui/text-field.tsx";
import { useTooLong } from "../../shared/ui/use-too-long.ts";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { type Conversation, nameOf } from "../live/conversation.ts";
import { useDesk } from "../live/use-desk.ts";
import { DESK } from "../words.ts";
import styles from "./close-dialog.module.css";

const MAX_REASON_LENGTH = 512;

/** Asks whether a conversation is to be closed, and why. */
export function CloseDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const say = useWords(DESK);
  const sayShared = useWords(SHARED);
  const { actions } = useDesk();
  const [reason, setReason] = useState("");
  const tooLong = useTooLong()(reason, MAX_REASON_LENGTH);
  const close = useMutation({
    mutationFn: () => actions.close(conversation.id, reason.trim()),
    onSuccess: onClose,
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (tooLong === undefined && !close.isPending) close.mutate();
  }

  return (
    <Dialog title={say("close")} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <p>{say("closeLead", { name: nameOf(conversation.visitor) })}</p>
        <TextField
          label={say("reason")}
          hint={say("reasonHint")}
          data-first-focus
          autoComplete="off"
          fault={tooLong}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {close.isError && <ErrorNotice error={close.error} />}
        <div className={styles.actions}>
          <Button onClick={onClose}>{sayShared("cancel")}</Button>
          <Button kind="primary" type="submit" isBusy={close.isPending}>
            {say("close")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
