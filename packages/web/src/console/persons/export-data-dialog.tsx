import { useMutation } from "@tanstack/react-query";
import { Button } from "antd";
import { useRef, useState } from "react";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { whilePending } from "../ui/action-dialog.tsx";
import { Modal } from "../ui/modal.tsx";
import { saveFile } from "../ui/save-file.ts";
import { useToast } from "../ui/toasts.tsx";
import { exportRecords } from "./export-records.ts";
import styles from "./persons.module.css";
import { PERSONS } from "./words.ts";

/** Saves all that is stored about somebody as a file. */
export function ExportDataDialog({
  name,
  fileName,
  load,
  onDone,
}: {
  name: string;
  /** Without its ending. */
  fileName: string;
  load: Parameters<typeof exportRecords>[0];
  onDone: () => void;
}) {
  const say = useWords(PERSONS);
  const sayShared = useWords(SHARED);
  const toast = useToast();
  const [read, setRead] = useState(0);
  const isStopped = useRef(false);
  const save = useMutation({
    mutationFn: async () => {
      isStopped.current = false;
      setRead(0);
      const all = await exportRecords(load, { onProgress: setRead, isStopped: () => isStopped.current });
      if (all !== null) saveFile(all.lines, { name: `${fileName}.jsonl`, type: "application/x-ndjson" });
      return all;
    },
    onSuccess: (all) => {
      if (all !== null) toast(say("saved", { count: all.records }));
      onDone();
    },
  });
  const stop = () => {
    isStopped.current = true;
  };
  return (
    <Modal
      title={say("exportTitle", { name })}
      width={480}
      {...whilePending(save.isPending)}
      onCancel={onDone}
      footer={
        <>
          <Button onClick={save.isPending ? stop : onDone}>{save.isPending ? say("stop") : sayShared("cancel")}</Button>
          <Button type="primary" loading={save.isPending} onClick={() => save.mutate()}>
            {say("export")}
          </Button>
        </>
      }
    >
      <div className={styles.report}>
        <p>{say("exportWhat")}</p>
        <p role="status">{save.isPending && say("read", { count: read })}</p>
        {save.isError && <ErrorNotice error={save.error} />}
      </div>
    </Modal>
  );
}
