import { useMutation } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useToast } from "../ui/toasts.tsx";
import { CodeField, CurrentPasswordField } from "./fields.tsx";
import { SECURITY } from "./words.ts";

/** Asks for password and code, then turns the second factor off. */
export function TurnOffDialog({ onDone }: { onDone: () => void }) {
  const say = useWords(SECURITY);
  const toast = useToast();
  const off = useMutation({
    mutationFn: (body: { password: string; code: string }) => consoleApi.disableSecondFactor({ body }),
  });
  return (
    <FormDialog<{ password: string; code: string }>
      title={say("turnOffTitle")}
      action={say("turnOff")}
      isDangerous
      lead={say("turnOffLead")}
      isPending={off.isPending}
      error={off.error}
      onSubmit={(fields) =>
        off.mutate(fields, {
          onSuccess: () => {
            toast(say("wasTurnedOff"));
            onDone();
          },
        })
      }
      onCancel={onDone}
    >
      <CurrentPasswordField name="password" label={say("password")} />
      <CodeField />
    </FormDialog>
  );
}
