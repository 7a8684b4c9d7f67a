import { useWords } from "../../../shared/words/words.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";

/** Asks before a member or a developer is shut out. */
export function DisableAccountDialog({
  name,
  disable,
  onDone,
}: {
  name: string;
  disable: () => Promise<unknown>;
  onDone: () => void;
}) {
  const say = useWords(OPERATOR);
  const change = useOperatorChange(disable);
  return (
    <ConfirmDialog
      title={say("disableTitle", { name })}
      action={say("disable")}
      isDangerous
      isPending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate(undefined, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <p>{say("disableWhat")}</p>
    </ConfirmDialog>
  );
}
