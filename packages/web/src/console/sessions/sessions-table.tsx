import type { OwnSession } from "@portico/protocol";
import { Button } from "antd";
import { browserOf } from "../../shared/account/browser-of.ts";
import { Pill } from "../../shared/ui/pill.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { CONSOLE } from "../words.ts";
import { SESSIONS } from "./words.ts";

/** A row for each login; the others can be ended. */
export function SessionsTable({
  sessions,
  ending,
  onEnd,
}: {
  sessions: OwnSession[];
  /** The one that is being ended. */
  ending: string | undefined;
  onEnd: (sessionId: string) => void;
}) {
  const say = useWords(SESSIONS);
  const sayConsole = useWords(CONSOLE);
  const columns: ListColumn<OwnSession>[] = [
    {
      title: say("browser"),
      key: "browser",
      cell: ({ userAgent, current }) => (
        <span title={userAgent}>
          {browserOf(userAgent) ?? say("unknown")} {current && <Pill tone="accent">{say("current")}</Pill>}
        </span>
      ),
    },
    { title: say("address"), key: "address", kind: "wide", cell: ({ address }) => <code>{address || "–"}</code> },
    { title: say("lastUsed"), key: "lastUsed", cell: ({ lastUsedAt }) => <TimeAgo at={lastUsedAt} /> },
    { title: say("begun"), key: "begun", kind: "wide", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ];
  const actions = ({ sessionId, current }: OwnSession) =>
    !current && (
      <Button size="small" danger loading={ending === sessionId} onClick={() => onEnd(sessionId)}>
        {say("end")}
      </Button>
    );
  return (
    <ListTable<OwnSession>
      label={sayConsole("sessions")}
      columns={columns}
      actions={actions}
      rows={sessions}
      idOf={({ sessionId }) => sessionId}
      empty={null}
    />
  );
}
