import { useMutation } from "@tanstack/react-query";
import { Button, Form, Input } from "antd";
import { useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useToast } from "../ui/toasts.tsx";
import { CurrentPasswordField } from "./fields.tsx";
import { SECURITY } from "./words.ts";

const MIN_LENGTH = 8;
const MAX_LENGTH = 1_024;

/** One's own password. */
export function PasswordSection() {
  const say = useWords(SECURITY);
  const [isChanging, setChanging] = useState(false);
  return (
    <Section
      title={say("password")}
      lead={say("passwordLead")}
      actions={<Button onClick={() => setChanging(true)}>{say("changePassword")}</Button>}
    >
      {isChanging && <ChangePasswordDialog onDone={() => setChanging(false)} />}
    </Section>
  );
}

interface Fields {
  currentPassword: string;
  newPassword: string;
}

function ChangePasswordDialog({ onDone }: { onDone: () => void }) {
  const say = useWords(SECURITY);
  const toast = useToast();
  const change = useMutation({ mutationFn: (body: Fields) => consoleApi.changePassword({ body }) });
  return (
    <FormDialog<Fields>
      title={say("changePassword")}
      action={say("changePassword")}
      isPending={change.isPending}
      error={change.error}
      onSubmit={(fields) =>
        change.mutate(
          { currentPassword: fields.currentPassword, newPassword: fields.newPassword },
          {
            onSuccess: () => {
              toast(say("wasChanged"));
              onDone();
            },
          },
        )
      }
      onCancel={onDone}
    >
      <CurrentPasswordField name="currentPassword" label={say("currentPassword")} />
      <Form.Item
        name="newPassword"
        label={say("newPassword")}
        extra={say("newPasswordHint")}
        rules={[{ required: true, min: MIN_LENGTH, message: say("needNew") }]}
      >
        <Input.Password autoComplete="new-password" maxLength={MAX_LENGTH} />
      </Form.Item>
    </FormDialog>
  );
}
