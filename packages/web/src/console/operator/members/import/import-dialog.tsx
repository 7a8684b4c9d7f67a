import { Button, Progress } from "antd";
import { ErrorNotice } from "../../../../shared/ui/error-notice.tsx";
import { Notice } from "../../../../shared/ui/notice.tsx";
import { useFormat } from "../../../../shared/words/format.ts";
import { SHARED } from "../../../../shared/words/shared.ts";
import { useWords } from "../../../../shared/words/words.ts";
import { whilePending } from "../../../ui/action-dialog.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { TENANT_MEMBERS } from "../words.ts";
import styles from "./import-dialog.module.css";
import { ImportReport } from "./import-report.tsx";
import { HEADER, MOST_BYTES, MOST_LINES, UnreadableFile } from "./read-member-list.ts";
import { saveReport } from "./report-file.ts";
import { useImport } from "./use-import.ts";
import { MEMBER_IMPORT } from "./words.ts";

const EXAMPLE = `${HEADER.join(",")}\nann,Ann Archer,correct horse battery,13900000001`;

/** Adds many members from a CSV file: shows first what would become of it, then what became of each line. */
export function ImportDialog({ tenantId, onDone }: { tenantId: string; onDone: () => void }) {
  const say = useWords(MEMBER_IMPORT);
  const sayMembers = useWords(TENANT_MEMBERS);
  const sayShared = useWords(SHARED);
  const { state, check, run, stop } = useImport(tenantId);
  const { stage, done, lines, added } = state;
  const isPending = check.isPending || run.isPending;
  const isOver = stage === "imported";
  return (
    <Modal
      title={say("title")}
      width={600}
      {...whilePending(isPending)}
      onCancel={onDone}
      footer={
        isOver ? (
          <>
            <Button onClick={() => saveReport(state)}>{say("saveReport")}</Button>
            <Button type="primary" onClick={onDone}>
              {say("done")}
            </Button>
          </>
        ) : (
          <>
            <Button disabled={check.isPending} onClick={run.isPending ? stop : onDone}>
              {run.isPending ? say("stop") : sayShared("cancel")}
            </Button>
            <Button
              type="primary"
              loading={run.isPending}
              disabled={!(stage === "checked" && added > 0) && stage !== "importing"}
              onClick={() => run.mutate()}
            >
              {sayMembers("import")}
            </Button>
          </>
        )
      }
    >
      <div className={styles.body}>
        {!run.isPending && !isOver && (
          <FileChoice isFirst={stage === "choosing"} isDisabled={isPending} onChoose={(file) => check.mutate(file)} />
        )}
        {check.isError && <FileFault error={check.error} />}
        {isPending && (
          <Progress
            aria-label={say(run.isPending ? "importing" : "checking")}
            percent={Math.floor((done / Math.max(lines.length, 1)) * 100)}
            size="small"
          />
        )}
        {run.isError && <ErrorNotice error={run.error} />}
        {(stage === "checked" || isOver || stage === "importing") && <ImportReport of={state} />}
      </div>
    </Modal>
  );
}

/** What a file has to look like, and the button that chooses one. */
function FileChoice({
  isFirst,
  isDisabled,
  onChoose,
}: {
  isFirst: boolean;
  isDisabled: boolean;
  onChoose: (file: File) => void;
}) {
  const say = useWords(MEMBER_IMPORT);
  const format = useFormat();
  const lines = format.number(MOST_LINES);
  return (
    <>
      {isFirst && (
        <>
          <p>{say("what", { lines, megabytes: MOST_BYTES / 1_000_000 })}</p>
          <pre className={styles.example}>{EXAMPLE}</pre>
        </>
      )}
      <label className={styles.file} data-disabled={isDisabled || undefined}>
        {say(isFirst ? "choose" : "another")}
        <input
          type="file"
          className="visually-hidden"
          accept=".csv,text/csv"
          disabled={isDisabled}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file !== undefined) onChoose(file);
            // So that the same file can be chosen again once it is mended.
            target.value = "";
          }}
        />
      </label>
    </>
  );
}

function FileFault({ error }: { error: unknown }) {
  const say = useWords(MEMBER_IMPORT);
  const lines = useFormat().number(MOST_LINES);
  if (!(error instanceof UnreadableFile)) return <ErrorNotice error={error} />;
  return <Notice tone="error" role="alert" title={say(error.why, { line: error.line ?? 1, lines })} />;
}
