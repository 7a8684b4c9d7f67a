import type { Enrolment } from "@portico/protocol";
import { useMutation } from "@tanstack/react-query";
import { Checkbox } from "antd";
import { useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { CodeForm } from "../second-factor/code-form.tsx";
import { SecretView } from "../second-factor/secret-view.tsx";
import { whilePending } from "../ui/action-dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Modal } from "../ui/modal.tsx";
import { CodesDialog } from "./codes-dialog.tsx";
import { CurrentPasswordField } from "./fields.tsx";
import { SECURITY } from "./words.ts";

/** Turns the second factor on: the password, the first code, the recovery codes. */
export function TurnOnDialog({ onDone }: { onDone: () => void }) {
  const say = useWords(SECURITY);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // What began without it is worth no more than the password was.
  const [isEndingOthers, setEndingOthers] = useState(true);
  const begin = useMutation({
    mutationFn: (password: string) => consoleApi.beginSecondFactor({ body: { password } }),
    onSuccess: setEnrolment,
  });
  const confirm = useMutation({
    mutationFn: (code: string) => consoleApi.confirmSecondFactor({ body: { code, endOtherSessions: isEndingOthers } }),
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
  });
  if (codes !== null) return <CodesDialog codes={codes} onStored={onDone} />;
  if (enrolment === null) {
    return (
      <FormDialog<{ password: string }>
        title={say("turnOnTitle")}
        action={say("turnOn")}
        lead={say("turnOnLead")}
        isPending={begin.isPending}
        error={begin.error}
        onSubmit={({ password }) => begin.mutate(password)}
        onCancel={onDone}
      >
        <CurrentPasswordField name="password" label={say("password")} />
      </FormDialog>
    );
  }
  return (
    <Modal title={say("turnOnTitle")} width={520} {...whilePending(confirm.isPending)} onCancel={onDone} footer={null}>
      <CodeForm
        isPending={confirm.isPending}
        error={confirm.error}
        onCode={confirm.mutate}
        before={<SecretView enrolment={enrolment} />}
        options={
          <Checkbox checked={isEndingOthers} onChange={({ target }) => setEndingOthers(target.checked)}>
            {say("endOthers")}
          </Checkbox>
        }
      />
    </Modal>
  );
}
