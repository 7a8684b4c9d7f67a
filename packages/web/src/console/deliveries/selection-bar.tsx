import { Button } from "antd";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { useToast } from "../ui/toasts.tsx";
import styles from "./deliveries.module.css";
import { useRedeliverSelection } from "./delivery-queries.ts";
import { DELIVERIES } from "./words.ts";

/** Sends the selected deliveries again; there as long as any is selected. */
export function SelectionBar({
  appId,
  selected,
  onDone,
}: {
  appId: string;
  selected: ReadonlySet<string>;
  onDone: () => void;
}) {
  const say = useWords(DELIVERIES);
  const sayShared = useWords(SHARED);
  const toast = useToast();
  const redeliver = useRedeliverSelection(appId);
  if (selected.size === 0) return null;
  const send = () =>
    redeliver.mutate([...selected], {
      onSuccess({ redelivered, skipped }) {
        const sent = say("sentSelection", { count: redelivered });
        toast(skipped === 0 ? sent : `${sent} ${say("skipped", { count: skipped })}`);
        onDone();
      },
    });
  return (
    <div className={styles.selection}>
      <Button loading={redeliver.isPending} onClick={send}>
        {say("sendSelection", { count: selected.size })}
      </Button>
      <Button type="text" onClick={onDone}>
        {sayShared("cancel")}
      </Button>
      {redeliver.error !== null && <ErrorNotice error={redeliver.error} />}
    </div>
  );
}
