import { useWords } from "../../shared/words/words.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useRevokeOld } from "./credentials-queries.ts";
import { CREDENTIALS } from "./words.ts";

/** Asks whether to end the grace of the old credentials. */
export function RevokeOldDialog({ appId, onDone }: { appId: string; onDone: () => void }) {
  const say = useWords(CREDENTIALS);
  const revoke = useRevokeOld(appId);
  return (
    <ConfirmDialog
      title={say("revokeTitle")}
      action={say("revokeOld")}
      isDangerous
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <p>{say("revokeWhat")}</p>
    </ConfirmDialog>
  );
}
