import { useWords } from "../../../shared/words/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { PasswordField } from "../fields/fields.tsx";
import { useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";

interface Fields {
  password: string;
}

/** Gives a member or a developer another password, which ends their sign-ins. */
export function ResetPasswordDialog({
  name,
  reset,
  onDone,
}: {
  name: string;
  reset: (password: string) => Promise<unknown>;
  onDone: () => void;
}) {
  const say = useWords(OPERATOR);
  const toast = useToast();
  const change = useOperatorChange(({ password }: Fields) => reset(password));
  return (
    <FormDialog<Fields>
      title={say("resetTitle", { name })}
      action={say("resetPassword")}
      isDangerous
      lead={say("resetWhat")}
      isPending={change.isPending}
      error={change.error}
      onSubmit={(fields) =>
        change.mutate(fields, {
          onSuccess: () => {
            toast(say("wasReset"));
            onDone();
          },
        })
      }
      onCancel={onDone}
    >
      <PasswordField isNew />
    </FormDialog>
  );
}
