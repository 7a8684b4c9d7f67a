import { type RefObject, useCallback } from "react";
import { useBlocker } from "react-router";
import { useUnsent } from "../../../shared/app/unsent.ts";
import { useWords } from "../../../shared/words/words.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { STUDIO } from "./words.ts";

/** Asks before what has not been saved is lost by leaving the page. */
export function LeaveGuard({
  isDirty,
  version,
  isSaved,
}: {
  isDirty: boolean;
  version: number | undefined;
  /** True while the page goes on to the address of what it has just saved. */
  isSaved: RefObject<boolean>;
}) {
  const say = useWords(STUDIO);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !isSaved.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useUnsent(useCallback(() => isDirty, [isDirty]));
  if (blocker.state !== "blocked") return null;
  return (
    <ConfirmDialog
      title={say("leaveTitle")}
      action={say("leave")}
      isDangerous
      isPending={false}
      error={null}
      onConfirm={() => blocker.proceed()}
      onCancel={() => blocker.reset()}
    >
      {version === undefined ? say("leaveWhatNew") : say("leaveWhat", { version })}
    </ConfirmDialog>
  );
}
