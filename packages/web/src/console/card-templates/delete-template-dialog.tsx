import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { type Template, useDeleteTemplate } from "./template-queries.ts";
import { TEMPLATES } from "./words.ts";

/** Asks before a template is deleted. */
export function DeleteTemplateDialog({
  template: { cardId, name },
  onClose,
}: {
  template: Template;
  onClose: () => void;
}) {
  const say = useWords(TEMPLATES);
  const { app } = useApp();
  const { mutate, isPending, error } = useDeleteTemplate(app.appId);
  return (
    <ConfirmDialog
      title={say("removeTitle", { name })}
      action={say("remove")}
      isDangerous
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(cardId, { onSuccess: onClose })}
      onCancel={onClose}
    >
      {say("removeWhat", { cardId })}
    </ConfirmDialog>
  );
}
