import { usePreferences } from "../../shared/look/preferences.ts";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import log from "../log/log.module.css";
import { LogTable } from "../log/log-table.tsx";
import { LOG } from "../log/words.ts";
import { CallExplanation } from "./call-explanation.tsx";
import { reasonInWords } from "./explain-call.ts";
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
  const sayLog = useWords(LOG);
  const format = useFormat();
  const { locale } = usePreferences();
  return (
    <LogTable<Call>
      label={say("title")}
      columns={[
        { title: say("status"), cell: ({ status }) => <StatusPill status={status} /> },
        {
          title: say("call"),
          kind: "main",
          cell: ({ method, path, reason, code, reqNo }) => (
            <>
              <code>
                {method} {path}
              </code>
              {reason === null ? (
                <code className={log.narrow}>{reqNo}</code>
              ) : (
                <span className={log.second}>{reasonInWords(reason, code, locale)}</span>
              )}
            </>
          ),
        },
        { title: say("code"), kind: "wide", cell: ({ code }) => <code>{code}</code> },
        { title: "reqNo", kind: "wide", cell: ({ reqNo }) => <code>{reqNo}</code> },
        { title: say("duration"), kind: "wide-number", cell: ({ durationMs }) => format.duration(durationMs) },
        { title: sayLog("time"), kind: "number", cell: ({ at }) => <TimeAgo at={at} /> },
      ]}
      items={items}
      idOf={({ reqNo }) => reqNo}
      openId={openId}
      onOpen={onOpen}
      detail={({ reqNo }) => <CallExplanation appId={appId} reqNo={reqNo} />}
    />
  );
}
