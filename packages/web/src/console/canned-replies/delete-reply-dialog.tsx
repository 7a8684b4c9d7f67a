import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import type { CannedReply } from "./reply-queries.ts";
import { CANNED_REPLIES } from "./words.ts";

/** Asks before a reply is deleted. */
export function DeleteReplyDialog({
  reply: { replyId, shortcut },
  onDone,
}: {
  reply: CannedReply;
  onDone: () => void;
}) {
  const say = useWords(CANNED_REPLIES);
  const { appId } = useApp().app;
  const remove = useAppChange(appId, () => consoleApi.deleteCannedReply({ params: { appId, replyId } }));
  return (
    <ConfirmDialog
      title={say("deleteTitle", { shortcut })}
      action={say("delete")}
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <p>{say("deleteWhat")}</p>
    </ConfirmDialog>
  );
}
