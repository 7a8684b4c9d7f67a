import { Button, Form } from "antd";
import type { ReactNode } from "react";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { whilePending } from "./confirm-dialog.tsx";
import styles from "./form-dialog.module.css";
import { Modal } from "./modal.tsx";

/** Asks for a few fields in a dialog, and sends them by a button that says what it does. Its children are form items. */
export function FormDialog<Fields extends object>({
  title,
  action,
  isDangerous = false,
  isPending,
  error,
  lead,
  initialValues,
  onSubmit,
  onCancel,
  children,
}: {
  title: string;
  action: string;
  isDangerous?: boolean;
  isPending: boolean;
  error: unknown;
  /** What will happen, or what to know first. */
  lead?: string;
  initialValues?: Partial<Fields>;
  onSubmit: (fields: Fields) => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  const say = useWords(SHARED);
  const [form] = Form.useForm<Fields>();
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
          <Button type="primary" danger={isDangerous} loading={isPending} onClick={() => form.submit()}>
            {action}
          </Button>
        </>
      }
    >
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        {...(initialValues && { initialValues })}
        onFinish={(fields) => {
          if (!isPending) onSubmit(fields);
        }}
      >
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        {children}
        {error !== null && error !== undefined && <ErrorNotice error={error} />}
        {/* So that Enter in a field sends the form: its button is outside of it. */}
        <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
      </Form>
    </Modal>
  );
}
