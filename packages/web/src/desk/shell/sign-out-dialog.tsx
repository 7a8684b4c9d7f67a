import { useMutation } from "@tanstack/react-query";
import { Button } from "../../shared/ui/button.tsx";
import { Dialog } from "../../shared/ui/dialog.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";
import styles from "./sign-out-dialog.module.css";
import type { LeftBehind } from "./use-sign-out.ts";

/** Asks whether to sign out, and says what becomes of what is left behind. */
export function SignOutDialog({
  left: { conversations, hasUnsent },
  onSignOut,
  onClose,
}: {
  left: LeftBehind;
  onSignOut: () => Promise<void>;
  onClose: () => void;
}) {
  const say = useWords(DESK);
  const sayShared = useWords(SHARED);
  const signOut = useMutation({ mutationFn: onSignOut });
  return (
    <Dialog title={say("signOutTitle")} onClose={onClose}>
      {conversations > 0 && <p className={styles.words}>{say("signOutOpen", { count: conversations })}</p>}
      {hasUnsent && <p className={styles.words}>{say("signOutUnsent")}</p>}
      {signOut.isError && <ErrorNotice error={signOut.error} />}
      <div className={styles.actions}>
        <Button onClick={onClose}>{sayShared("cancel")}</Button>
        <Button kind="primary" data-first-focus isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
          {sayShared("signOut")}
        </Button>
      </div>
    </Dialog>
  );
}
