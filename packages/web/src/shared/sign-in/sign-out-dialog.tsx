import { useMutation } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import styles from "./sign-out-dialog.module.css";

/** Asks whether to sign out, and says what becomes of what is left behind: a paragraph for each of `losses`. */
export function SignOutDialog({
  title,
  losses,
  onSignOut,
  onClose,
}: {
  title: string;
  losses: readonly string[];
  onSignOut: () => Promise<void>;
  onClose: () => void;
}) {
  const say = useWords(SHARED);
  const signOut = useMutation({ mutationFn: onSignOut });
  return (
    <Dialog title={title} onClose={onClose}>
      {losses.map((loss) => (
        <p key={loss} className={styles.words}>
          {loss}
        </p>
      ))}
      {signOut.isError && <ErrorNotice error={signOut.error} />}
      <div className={styles.actions}>
        <Button onClick={onClose}>{say("cancel")}</Button>
        <Button kind="primary" data-first-focus isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
          {say("signOut")}
        </Button>
      </div>
    </Dialog>
  );
}
