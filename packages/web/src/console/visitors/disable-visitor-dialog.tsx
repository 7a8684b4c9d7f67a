import { consoleApi } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { VISITORS } from "./words.ts";

/** Begins the thirdUserId of a visitor whom the integrator's site has not named (docs/contract/customer-service.md). */
const OF_NOBODY = "anonymous:";

/** Asks before a visitor is shut out. */
export function DisableVisitorDialog({
  visitor: { visitorId, thirdUserId, nickname },
  onDone,
}: {
  visitor: { visitorId: string; thirdUserId: string; nickname: string };
  onDone: () => void;
}) {
  const say = useWords(VISITORS);
  const { appId } = useApp().app;
  const disable = useAppChange(appId, () =>
    consoleApi.updateVisitor({ params: { appId, visitorId }, body: { status: 0 } }),
  );
  return (
    <ConfirmDialog
      title={say("disableTitle", { name: nickname || visitorId })}
      action={say("disable")}
      isDangerous
      isPending={disable.isPending}
      error={disable.error}
      onConfirm={() => disable.mutate(undefined, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <p>{say("disableWhat")}</p>
      {thirdUserId.startsWith(OF_NOBODY) && <p>{say("disableNameless")}</p>}
    </ConfirmDialog>
  );
}
