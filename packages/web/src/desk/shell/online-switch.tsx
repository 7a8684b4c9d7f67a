import { useMutation } from "@tanstack/react-query";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useShortcut } from "../keyboard/use-shortcut.ts";
import { useDesk, useDeskNow } from "../live/use-desk.ts";
import { DESK } from "../words.ts";
import styles from "./online-switch.module.css";

/** Whether conversations are given to the agent, in all their applications. */
export function OnlineSwitch() {
  const say = useWords(DESK);
  const { actions } = useDesk();
  const { apps } = useDeskNow();
  const change = useMutation({ mutationFn: (isOnline: boolean) => actions.setOnline(isOnline) });
  const isOnline = apps?.some(({ status }) => status === "ONLINE") ?? false;
  const isShownOn = change.isPending ? change.variables : isOnline;
  function turn(): void {
    if (!change.isPending) change.mutate(!isOnline);
  }
  useShortcut("online", turn);
  if (apps === null || apps.length === 0) return null;
  return (
    <>
      <button
        type="button"
        role="switch"
        aria-checked={isShownOn}
        aria-busy={change.isPending || undefined}
        className={styles.switch}
        title={say("onlineHint")}
        onClick={turn}
      >
        <span className={styles.track} />
        {say("online")}
      </button>
      {change.isError && (
        <div className={styles.fault}>
          <ErrorNotice error={change.error} onRetry={() => change.mutate(change.variables)} />
        </div>
      )}
    </>
  );
}
