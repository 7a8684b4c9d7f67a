import { Form } from "antd";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.tsx";
import styles from "./form-dialog.module.css";

/** Asks for a few fields in a dialog, and sends them by a button that says what it does. Its children are form items. */
export function FormDialog<Fields extends object>({
  error,
  lead,
  initialValues,
  onSubmit,
  children,
  ...dialog
}: ActionDialogProps & {
  error: unknown;
  /** What will happen, or what to know first. */
  lead?: string;
  initialValues?: Partial<Fields>;
  onSubmit: (fields: Fields) => void;
}) {
  const [form] = Form.useForm<Fields>();
  return (
    <ActionDialog {...dialog} onAction={() => form.submit()}>
      <Form<Fields>
        form={form}
        layout="vertical"
        requiredMark={false}
        {...(initialValues && { initialValues })}
        onFinish={(fields) => {
          if (!dialog.isPending) onSubmit(fields);
        }}
      >
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        {children}
        {error !== null && error !== undefined && <ErrorNotice error={error} />}
        {/* So that Enter in a field sends the form: its button is outside of it. */}
        <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
      </Form>
    </ActionDialog>
  );
}
