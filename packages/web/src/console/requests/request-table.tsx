import { usePreferences } from "../../shared/look/preferences.ts";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import lists from "../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { LISTS } from "../lists/words.ts";
import { BrokenName } from "../ui/broken-name.tsx";
import { CallExplanation } from "./call-explanation.tsx";
import { reasonInWords } from "./reason-in-words.ts";
import type { Call } from "./request-queries.ts";
import { StatusPill } from "./status-pill.tsx";
import { REQUESTS } from "./words.ts";

/** Calls, a row each. */
export function RequestTable({
  appId,
  items,
  openId,
  onOpen,
}: {
  appId: string;
  items: readonly Call[];
  openId: string | undefined;
  onOpen: (id: string | undefined) => void;
}) {
  const say = useWords(REQUESTS);
  const sayLists = useWords(LISTS);
  const format = useFormat();
  const { locale } = usePreferences();
  const columns: ListColumn<Call>[] = [
    { key: "status", title: say("status"), cell: ({ status }) => <StatusPill status={status} /> },
    {
      key: "call",
      title: say("call"),
      kind: "main",
      cell: ({ method, path, reason, code, reqNo }) => (
        <>
          <code>
            {method} <BrokenName name={path} />
          </code>
          {reason === null ? (
            <code className={lists.narrow}>{reqNo}</code>
          ) : (
            <span className={lists.second}>{reasonInWords(reason, code, locale)}</span>
          )}
        </>
      ),
    },
    { key: "code", title: say("code"), kind: "wide", cell: ({ code }) => <code>{code}</code> },
    { key: "reqNo", title: "reqNo", kind: "wide", cell: ({ reqNo }) => <code>{reqNo}</code> },
    {
      key: "duration",
      title: say("duration"),
      kind: "wide-number",
      cell: ({ durationMs }) => format.duration(durationMs),
    },
    { key: "time", title: sayLists("time"), kind: "number", cell: ({ at }) => <TimeAgo at={at} /> },
  ];
  return (
    <ListTable<Call>
      label={say("title")}
      columns={columns}
      rows={items}
      idOf={({ reqNo }) => reqNo}
      opening={{ openId, onOpen, detail: ({ reqNo }) => <CallExplanation appId={appId} reqNo={reqNo} /> }}
      empty={null}
    />
  );
}
