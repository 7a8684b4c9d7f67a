import { useMutation } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { CodesDialog } from "./codes-dialog.tsx";
import { CodeField, CurrentPasswordField } from "./fields.tsx";
import { SECURITY } from "./words.ts";

/** Asks for password and code, then shows new recovery codes. */
export function NewCodesDialog({ onDone }: { onDone: () => void }) {
  const say = useWords(SECURITY);
  const renew = useMutation({
    mutationFn: (body: { password: string; code: string }) => consoleApi.renewRecoveryCodes({ body }),
  });
  if (renew.data !== undefined) return <CodesDialog codes={renew.data.recoveryCodes} onStored={onDone} />;
  return (
    <FormDialog<{ password: string; code: string }>
      title={say("newCodes")}
      action={say("newCodes")}
      lead={say("newCodesLead")}
      isPending={renew.isPending}
      error={renew.error}
      onSubmit={(fields) => renew.mutate(fields)}
      onCancel={onDone}
    >
      <CurrentPasswordField name="password" label={say("password")} />
      <CodeField />
    </FormDialog>
  );
}
