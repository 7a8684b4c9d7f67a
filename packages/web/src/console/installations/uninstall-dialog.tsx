import type { Installation } from "@portico/protocol";
import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { INSTALLATIONS } from "./words.ts";

/** Asks before a bot is taken out of a conversation. */
export function UninstallDialog({
  installation: { targetType, targetId, name },
  onDone,
}: {
  installation: Installation;
  onDone: () => void;
}) {
  const say = useWords(INSTALLATIONS);
  const { appId, tenantId } = useApp().app;
  const uninstall = useAppChange(appId, () =>
    consoleApi.uninstall({ params: { appId }, query: { targetType, targetId } }, { tenantId }),
  );
  return (
    <ConfirmDialog
      title={say("uninstallTitle", { name })}
      action={say("uninstall")}
      isDangerous
      isPending={uninstall.isPending}
      error={uninstall.error}
      onConfirm={() => uninstall.mutate(undefined, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <p>{say("uninstallWhat")}</p>
    </ConfirmDialog>
  );
}
