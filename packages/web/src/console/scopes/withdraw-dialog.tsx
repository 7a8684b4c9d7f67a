import { useWords } from "../../shared/words/words.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { SCOPES_WORDS } from "./words.ts";

/** Asks before a scope is given up that the application holds. */
export function WithdrawDialog({
  scope,
  isPending,
  error,
  onConfirm,
  onCancel,
}: {
  scope: string;
  isPending: boolean;
  error: unknown;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const say = useWords(SCOPES_WORDS);
  return (
    <ConfirmDialog
      title={say("withdrawTitle", { scope })}
      action={say("withdraw")}
      isDangerous
      isPending={isPending}
      error={error}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>{say("withdrawWhat")}</p>
    </ConfirmDialog>
  );
}
