import type { CannedReply } from "@portico/protocol/schemas";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { LogSkeleton } from "../../shared/talk/log/log-skeleton.tsx";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog } from "../../shared/ui/dialog.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { deskApi } from "../live/desk-api.ts";
import { DESK } from "../words.ts";
import styles from "./canned-dialog.module.css";
import { CannedForm } from "./canned-form.tsx";
import { useCannedReplies } from "./use-canned.ts";

/** An application's canned replies: to be read, written and deleted by any of its agents. */
export function CannedDialog({ appId, onClose }: { appId: string; onClose: () => void }) {
  const say = useWords(DESK);
  const replies = useCannedReplies(appId, true);
  const [edited, setEdited] = useState<CannedReply | "new" | null>(null);
  if (edited !== null) {
    return (
      <Dialog title={say(edited === "new" ? "newCanned" : "editCanned")} onClose={onClose}>
        <CannedForm appId={appId} reply={edited === "new" ? null : edited} onDone={() => setEdited(null)} />
      </Dialog>
    );
  }
  return (
    <Dialog title={say("cannedReplies")} onClose={onClose}>
      <p className={styles.lead}>{say("cannedLead")}</p>
      {replies.isError && <ErrorNotice error={replies.error} onRetry={() => replies.refetch()} />}
      {replies.isPending && <LogSkeleton />}
      {replies.data?.items.length === 0 && <EmptyState title={say("noCanned")} hint={say("noCannedHint")} />}
      {replies.data !== undefined && replies.data.items.length > 0 && (
        <ul className={styles.list}>
          {replies.data.items.map((reply) => (
            <Item key={reply.replyId} appId={appId} reply={reply} onEdit={() => setEdited(reply)} />
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <Button kind="primary" onClick={() => setEdited("new")}>
          {say("newCanned")}
        </Button>
      </div>
    </Dialog>
  );
}

function Item({ appId, reply, onEdit }: { appId: string; reply: CannedReply; onEdit: () => void }) {
  const say = useWords(DESK);
  const queries = useQueryClient();
  const [isSure, setSure] = useState(false);
  const { replyId, shortcut, text } = reply;
  const remove = useMutation({
    mutationFn: () => deskApi.deleteCannedReply({ params: { appId, replyId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["canned", appId] }),
  });
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <div className={styles.shortcut}>/{shortcut}</div>
        <div className={styles.text} dir="auto">
          {text}
        </div>
        {remove.isError && <ErrorNotice error={remove.error} />}
      </div>
      <Button size="small" aria-label={say("editNamed", { name: shortcut })} onClick={onEdit}>
        {say("edit")}
      </Button>
      <Button
        size="small"
        aria-label={say(isSure ? "deleteSure" : "deleteNamed", { name: shortcut })}
        isBusy={remove.isPending}
        onBlur={() => setSure(false)}
        onClick={() => (isSure ? remove.mutate() : setSure(true))}
      >
        {isSure ? say("deleteSureShort") : say("delete")}
      </Button>
    </li>
  );
}
