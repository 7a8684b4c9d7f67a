import { useWords } from "../../shared/words/words.ts";
import { ExportDialog } from "../ui/export-dialog.tsx";
import { saveFile } from "../ui/save-file.ts";
import { useToast } from "../ui/toasts.tsx";
import { exportRecords } from "./export-records.ts";
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
  const toast = useToast();
  return (
    <ExportDialog
      title={say("exportTitle", { name })}
      words={{ export: say("export"), stop: say("stop"), read: (count) => say("read", { count }) }}
      save={async (watch) => {
        const all = await exportRecords(load, watch);
        if (all !== null) saveFile(all.lines, { name: `${fileName}.jsonl`, type: "application/x-ndjson" });
        return all;
      }}
      onSaved={(all) => {
        if (all !== null) toast(say("saved", { count: all.records }));
      }}
      onDone={onDone}
    >
      {() => <p>{say("exportWhat")}</p>}
    </ExportDialog>
  );
}
