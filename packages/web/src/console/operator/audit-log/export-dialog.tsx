import { useMutation } from "@tanstack/react-query";
import { Button, Radio } from "antd";
import { useRef, useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { ErrorNotice } from "../../../shared/ui/error-notice.tsx";
import { useFormat } from "../../../shared/words/format.ts";
import { SHARED } from "../../../shared/words/shared.ts";
import { useWords } from "../../../shared/words/words.ts";
import { whilePending } from "../../ui/action-dialog.tsx";
import { Modal } from "../../ui/modal.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useToast } from "../../ui/toasts.tsx";
import { type AuditFilter, EXPORT_FORMATS, type ExportFormat, exportAudit, MOST_ENTRIES } from "./export-audit.ts";
import styles from "./export-dialog.module.css";
import { OPERATOR_AUDIT } from "./words.ts";

const TYPES = { csv: "text/csv", jsonl: "application/x-ndjson" } as const;

/** Saves the entries that the page shows, and those that follow, as a file. */
export function ExportDialog({ filter, onDone }: { filter: AuditFilter; onDone: () => void }) {
  const say = useWords(OPERATOR_AUDIT);
  const sayShared = useWords(SHARED);
  const format = useFormat();
  const toast = useToast();
  const [kind, setKind] = useState<ExportFormat>("csv");
  const [read, setRead] = useState(0);
  const isStopped = useRef(false);
  const save = useMutation({
    mutationFn: async () => {
      isStopped.current = false;
      const { text, entries, isWhole } = await exportAudit(
        kind,
        (place) => operatorApi.listAudit({ query: { ...filter, ...place } }),
        { onProgress: setRead, isStopped: () => isStopped.current },
      );
      saveFile(text, { name: `audit-log.${kind}`, type: TYPES[kind] });
      return { entries, isWhole };
    },
    onSuccess: ({ entries, isWhole }) => {
      toast(say(isWhole ? "saved" : "savedPart", { count: entries }));
      onDone();
    },
  });
  const stop = () => {
    isStopped.current = true;
  };
  return (
    <Modal
      title={say("title")}
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
      <div className={styles.body}>
        <p>{say("what", { most: format.number(MOST_ENTRIES) })}</p>
        <Radio.Group
          aria-label={say("format")}
          disabled={save.isPending}
          value={kind}
          onChange={({ target }) => setKind(target.value)}
          options={EXPORT_FORMATS.map((each) => ({ value: each, label: say(each) }))}
        />
        <p role="status">{save.isPending && say("read", { count: read })}</p>
        {save.isError && <ErrorNotice error={save.error} />}
      </div>
    </Modal>
  );
}
