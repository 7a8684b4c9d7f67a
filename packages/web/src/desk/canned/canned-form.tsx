import { DESK_BOUNDS, SHORTCUT_PATTERN } from "@portico/protocol/customer";
import type { CannedReply } from "@portico/protocol/schemas";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { excessOf } from "../../shared/text/text-length.ts";
import { Button } from "../../shared/ui/button.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { TextArea } from "../../shared/ui/text-area.tsx";
import { TextField } from "../../shared/ui/text-field.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { deskApi } from "../live/desk-api.ts";
import { DESK } from "../words.ts";
import styles from "./canned-dialog.module.css";

const SHORTCUT = new RegExp(SHORTCUT_PATTERN, "u");

/** Writes a canned reply, a new one or one that is there. */
export function CannedForm({
  appId,
  reply,
  onDone,
}: {
  appId: string;
  /** Null for a new one. */
  reply: CannedReply | null;
  onDone: () => void;
}) {
  const say = useWords(DESK);
  const sayShared = useWords(SHARED);
  const queries = useQueryClient();
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? "");
  const [text, setText] = useState(reply?.text ?? "");
  const [isChecked, setChecked] = useState(false);
  const isShort = excessOf(text, DESK_BOUNDS.cannedReplyLength) === 0;
  const isGood = SHORTCUT.test(shortcut) && text.trim() !== "" && isShort;
  const save = useMutation({
    mutationFn: () => {
      const body = { shortcut, text };
      if (reply === null) return deskApi.createCannedReply({ params: { appId }, body });
      return deskApi.updateCannedReply({ params: { appId, replyId: reply.replyId }, body });
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ["canned", appId] });
      onDone();
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecked(true);
    if (isGood && !save.isPending) save.mutate();
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={say("shortcut")}
        hint={say("shortcutHint")}
        fault={isChecked && !SHORTCUT.test(shortcut) ? say("shortcutFault") : undefined}
        autoComplete="off"
        autoFocus
        spellCheck={false}
        maxLength={DESK_BOUNDS.shortcutLength}
        value={shortcut}
        onChange={({ target }) => setShortcut(target.value.trim())}
      />
      <TextArea
        label={say("text")}
        hint={say("textHint", {
          visitor: "{{visitor.nickname}}",
          agent: "{{agent.name}}",
          app: "{{app.name}}",
        })}
        fault={isChecked && text.trim() === "" ? say("textFault") : undefined}
        mostLength={DESK_BOUNDS.cannedReplyLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {save.isError && <ErrorNotice error={save.error} />}
      <div className={styles.actions}>
        <Button onClick={onDone}>{sayShared("cancel")}</Button>
        <Button kind="primary" type="submit" isBusy={save.isPending}>
          {sayShared("save")}
        </Button>
      </div>
    </form>
  );
}
