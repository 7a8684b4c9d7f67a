import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";
import styles from "./confirm-dialog.module.css";

/** Asks before something is done that people regret: in words that say what happens, with the action's own name to go on. */
export function ConfirmDialog({
  error,
  onConfirm,
  children,
  ...dialog
}: ActionDialogProps & { error: unknown; onConfirm: () => void }) {
  return (
    <ActionDialog {...dialog} onAction={onConfirm}>
      <div className={styles.body}>
        {children}
        {error !== null && error !== undefined && <ErrorNotice error={error} />}
      </div>
    </ActionDialog>
  );
}
