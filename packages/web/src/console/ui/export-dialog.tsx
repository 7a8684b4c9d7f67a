import { useMutation } from "@tanstack/react-query";
import { Button } from "antd";
import { type ReactNode, useRef, useState } from "react";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { whilePending } from "./action-dialog.tsx";
import styles from "./export-dialog.module.css";
import { Modal } from "./modal.tsx";

/** Between an export and who watches it. */
interface ExportWatch {
  onProgress: (count: number) => void;
  isStopped: () => boolean;
}

/** A dialog that reads what may be long, page by page, and saves it as a file, unless it is stopped before. */
export function ExportDialog<Saved>({
  title,
  words,
  save,
  onSaved,
  onDone,
  children,
}: {
  title: string;
  /** What the buttons say, and how much has been read. */
  words: { export: string; stop: string; read: (count: number) => string };
  /** Reads and saves. */
  save: (watch: ExportWatch) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  onDone: () => void;
  /** What is exported, and the choices, which do not change while it is. */
  children: (isPending: boolean) => ReactNode;
}) {
  const sayShared = useWords(SHARED);
  const [read, setRead] = useState(0);
  const isStopped = useRef(false);
  const { isPending, isError, error, mutate } = useMutation({
    mutationFn: async () => {
      isStopped.current = false;
      setRead(0);
      return await save({ onProgress: setRead, isStopped: () => isStopped.current });
    },
    onSuccess(saved) {
      onSaved(saved);
      onDone();
    },
  });
  const stop = () => {
    isStopped.current = true;
  };
  return (
    <Modal
      title={title}
      width={480}
      {...whilePending(isPending)}
      onCancel={onDone}
      footer={
        <>
          <Button onClick={isPending ? stop : onDone}>{isPending ? words.stop : sayShared("cancel")}</Button>
          <Button type="primary" loading={isPending} onClick={() => mutate()}>
            {words.export}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {children(isPending)}
        <p role="status">{isPending && words.read(read)}</p>
        {isError && <ErrorNotice error={error} />}
      </div>
    </Modal>
  );
}
