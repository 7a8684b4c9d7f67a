import { useMutation } from "@tanstack/react-query";
import { consoleApi, consoleSession } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { SESSIONS } from "./words.ts";

/** Asks before all of the developer's sign-ins end. */
export function EndAllDialog({ onCancel }: { onCancel: () => void }) {
  const say = useWords(SESSIONS);
  const end = useMutation({
    async mutationFn() {
      await consoleApi.endAllSessions();
      // Here nothing is left to end at the service; the page and its other tabs are to know.
      await consoleSession.end();
    },
  });
  return (
    <ConfirmDialog
      title={say("endAllTitle")}
      action={say("endAll")}
      isDangerous
      isPending={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onCancel={onCancel}
    >
      <p>{say("endAllWhat")}</p>
    </ConfirmDialog>
  );
}
