import type { Agent } from "@portico/protocol";
import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { AGENTS } from "./words.ts";

/** Asks before a member no longer serves an application's visitors. */
export function RemoveAgentDialog({ agent: { agentId, name }, onDone }: { agent: Agent; onDone: () => void }) {
  const say = useWords(AGENTS);
  const { appId, tenantId } = useApp().app;
  const remove = useAppChange(appId, () =>
    consoleApi.removeAgent({ params: { appId, username: agentId } }, { tenantId }),
  );
  return (
    <ConfirmDialog
      title={say("removeTitle", { name })}
      action={say("remove")}
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <p>{say("removeWhat")}</p>
    </ConfirmDialog>
  );
}
