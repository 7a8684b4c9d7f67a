import { Button } from "antd";
import type { ReactNode } from "react";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { Modal } from "./modal.tsx";
import styles from "./shown-once-dialog.module.css";

/**
 * Shows a secret that is never shown again. It goes only by its button, as Escape or a click beside it would lose the
 * secret by accident.
 */
export function ShownOnceDialog({
  title,
  warning,
  values,
  onStored,
}: {
  title: string;
  /** What becomes of someone who does not keep it. */
  warning: ReactNode;
  /** Names as the API has them, such as `appSecret`. */
  values: readonly { name: string; value: string }[];
  onStored: () => void;
}) {
  const say = useWords(SHARED);
  return (
    <Modal
      title={title}
      width={600}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onStored}>
          {say("stored")}
        </Button>
      }
    >
      <p className={styles.warning}>
        <strong>{say("justStoredTitle")}</strong> {warning}
      </p>
      <dl className={styles.values}>
        {values.map(({ name, value }) => (
          <div key={name} className={styles.value}>
            <dt>{name}</dt>
            <dd>
              <Copyable text={value} label={name} />
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
