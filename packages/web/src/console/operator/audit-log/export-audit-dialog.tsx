import { Radio } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useFormat } from "../../../shared/words/format.ts";
import { useWords } from "../../../shared/words/words.ts";
import { ExportDialog } from "../../ui/export-dialog.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useToast } from "../../ui/toasts.tsx";
import { type AuditFilter, EXPORT_FORMATS, type ExportFormat, exportAudit, MOST_ENTRIES } from "./export-audit.ts";
import { OPERATOR_AUDIT } from "./words.ts";

const TYPES = { csv: "text/csv", jsonl: "application/x-ndjson" } as const;

/** Saves the entries that the page shows, and those that follow, as a file. */
export function ExportAuditDialog({ filter, onDone }: { filter: AuditFilter; onDone: () => void }) {
  const say = useWords(OPERATOR_AUDIT);
  const format = useFormat();
  const toast = useToast();
  const [kind, setKind] = useState<ExportFormat>("csv");
  return (
    <ExportDialog
      title={say("title")}
      words={{ export: say("export"), stop: say("stop"), read: (count) => say("read", { count }) }}
      save={async (watch) => {
        const { text, entries, isWhole } = await exportAudit(
          kind,
          (place) => operatorApi.listAudit({ query: { ...filter, ...place } }),
          watch,
        );
        saveFile(text, { name: `audit-log.${kind}`, type: TYPES[kind] });
        return { entries, isWhole };
      }}
      onSaved={({ entries, isWhole }) => toast(say(isWhole ? "saved" : "savedPart", { count: entries }))}
      onDone={onDone}
    >
      {(isPending) => (
        <>
          <p>{say("what", { most: format.number(MOST_ENTRIES) })}</p>
          <Radio.Group
            aria-label={say("format")}
            disabled={isPending}
            value={kind}
            onChange={({ target }) => setKind(target.value)}
            options={EXPORT_FORMATS.map((each) => ({ value: each, label: say(each) }))}
          />
        </>
      )}
    </ExportDialog>
  );
}
