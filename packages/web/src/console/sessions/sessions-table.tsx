import type { ConsoleSession } from "@portico/protocol";
import { Button, type TableProps } from "antd";
import { Pill } from "../../shared/ui/pill.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { ListTable } from "../lists/list-table.tsx";
import { browserOf } from "./browser-of.ts";
import { SESSIONS } from "./words.ts";

/** A row for each login; the others can be ended. */
export function SessionsTable({
  sessions,
  ending,
  onEnd,
}: {
  sessions: ConsoleSession[];
  /** The one that is being ended. */
  ending: string | undefined;
  onEnd: (sessionId: string) => void;
}) {
  const say = useWords(SESSIONS);
  const columns: TableProps<ConsoleSession>["columns"] = [
    {
      title: say("browser"),
      key: "browser",
      render: (_, { userAgent, current }) => (
        <span title={userAgent}>
          {browserOf(userAgent) ?? say("unknown")} {current && <Pill tone="accent">{say("current")}</Pill>}
        </span>
      ),
    },
    { title: say("address"), key: "address", render: (_, { address }) => <code>{address || "–"}</code> },
    { title: say("lastUsed"), key: "lastUsed", render: (_, { lastUsedAt }) => <TimeAgo at={lastUsedAt} /> },
    { title: say("begun"), key: "begun", render: (_, { createdAt }) => <TimeAgo at={createdAt} /> },
    {
      key: "action",
      align: "right",
      render: (_, { sessionId, current }) =>
        !current && (
          <Button size="small" danger loading={ending === sessionId} onClick={() => onEnd(sessionId)}>
            {say("end")}
          </Button>
        ),
    },
  ];
  return <ListTable<ConsoleSession> columns={columns} dataSource={sessions} rowKey="sessionId" empty={null} />;
}
