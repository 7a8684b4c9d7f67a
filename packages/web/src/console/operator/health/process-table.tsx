import type { ProcessHealth } from "@portico/protocol";
import { Pill } from "../../../shared/ui/pill.tsx";
import { TimeAgo } from "../../../shared/ui/time-ago.tsx";
import { useFormat } from "../../../shared/words/format.ts";
import { useWords } from "../../../shared/words/words.ts";
import lists from "../../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import { HEALTH } from "./words.ts";

/** A process tells of itself every ten seconds; one that has been silent for longer may be gone. */
const SILENT_MS = 30_000;

/** The processes of the service, their versions, and which of them have fallen silent. */
export function ProcessTable({ processes, at }: { processes: readonly ProcessHealth[]; at: number }) {
  const say = useWords(HEALTH);
  const format = useFormat();
  const isMixed = new Set(processes.map(({ version }) => version)).size > 1;
  const columns: ListColumn<ProcessHealth>[] = [
    {
      key: "host",
      title: say("host"),
      cell: ({ host, pid, isThis }) => (
        <>
          {host} {isThis && processes.length > 1 && <Pill tone="accent">{say("thisOne")}</Pill>}
          <span className={lists.second}>pid {pid}</span>
        </>
      ),
    },
    {
      key: "version",
      title: say("version"),
      cell: ({ version }) => (isMixed ? <Pill tone="warn">{version}</Pill> : <code>{version}</code>),
    },
    { key: "started", title: say("started"), kind: "wide", cell: ({ startedAt }) => <TimeAgo at={startedAt} /> },
    { key: "memory", title: say("memory"), kind: "wide-number", cell: ({ memoryBytes }) => format.bytes(memoryBytes) },
    {
      key: "calls",
      title: say("callsTitle"),
      kind: "wide-number",
      cell: ({ figures }) => format.number(figures.calls),
    },
    {
      key: "seen",
      title: say("seen"),
      cell: ({ seenAt }) =>
        at - seenAt > SILENT_MS ? (
          <Pill tone="bad">
            <TimeAgo at={seenAt} />
          </Pill>
        ) : (
          <Pill tone="good">{say("works")}</Pill>
        ),
    },
  ];
  return (
    <ListTable<ProcessHealth>
      label={say("processes")}
      columns={columns}
      rows={processes}
      idOf={({ processId }) => processId}
      empty={null}
    />
  );
}
