import { Button } from "antd";
import type { ReactNode } from "react";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { Modal } from "./modal.tsx";

/**
 * How a dialog of Ant Design may be left. While its call runs it stays, as what the call brings, such as a secret, would
 * be seen by nobody; a click beside it never takes away what somebody has entered.
 */
export function whilePending(isPending: boolean) {
  return { closable: !isPending, keyboard: !isPending, mask: { closable: false } } as const;
}

/** What a dialog that does one thing is about. */
export interface ActionDialogProps {
  title: string;
  /** What its button says: what it does. */
  action: string;
  isDangerous?: boolean;
  isPending: boolean;
  onCancel: () => void;
  children: ReactNode;
}

/** A dialog that does one thing, by a button that says what, or nothing. */
export function ActionDialog({
  title,
  action,
  isDangerous = false,
  isPending,
  onAction,
  onCancel,
  children,
}: ActionDialogProps & { onAction: () => void }) {
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
          <Button type="primary" danger={isDangerous} loading={isPending} onClick={onAction}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Modal>
  );
}
