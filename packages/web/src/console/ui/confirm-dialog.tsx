import { Button } from "antd";
import type { ReactNode } from "react";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./confirm-dialog.module.css";
import { Modal } from "./modal.tsx";

/**
 * How a dialog of Ant Design may be left. While its call runs it stays, as what the call brings, such as a secret, would
 * be seen by nobody; a click beside it never takes away what somebody has entered.
 */
export function whilePending(isPending: boolean) {
  return { closable: !isPending, keyboard: !isPending, mask: { closable: false } } as const;
}

/** Asks before something is done that people regret: in words that say what happens, with the action's own name to go on. */
export function ConfirmDialog({
  title,
  action,
  isDangerous = false,
  isPending,
  error,
  onConfirm,
  onCancel,
  children,
}: {
  title: string;
  action: string;
  isDangerous?: boolean;
  isPending: boolean;
  error: unknown;
  onConfirm: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  const say = useWords(SHARED);
  return (
    <Modal
      title={title}
      width={480}
      {...whilePending(isPending)}
      onCancel={onCancel}
      footer={
        <>
          <Button disabled={isPending} onClick={onCancel}>
            {say("cancel")}
          </Button>
          <Button type="primary" danger={isDangerous} loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {children}
        {error !== null && error !== undefined && <ErrorNotice error={error} />}
      </div>
    </Modal>
  );
}
