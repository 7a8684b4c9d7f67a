import type { Agent } from "@portico/protocol";
import { Button, type TableProps } from "antd";
import { useState } from "react";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { ListTable } from "../lists/list-table.tsx";
import { MaxSessionsField } from "./max-sessions-field.tsx";
import { RemoveAgentDialog } from "./remove-agent-dialog.tsx";
import { AGENTS } from "./words.ts";

/** A row for each agent. */
export function AgentsTable({ agents }: { agents: Agent[] }) {
  const say = useWords(AGENTS);
  const { isOwner } = useApp();
  const [leaving, setLeaving] = useState<Agent | null>(null);
  const columns: TableProps<Agent>["columns"] = [
    { title: say("name"), dataIndex: "name", key: "name" },
    { title: say("account"), key: "account", render: (_, { agentId }) => <code>{agentId}</code> },
    {
      title: say("maxSessions"),
      key: "maxSessions",
      render: (_, agent) => (isOwner ? <MaxSessionsField agent={agent} /> : agent.maxSessions),
    },
    {
      key: "action",
      align: "right",
      render: (_, agent) =>
        isOwner && (
          <Button size="small" danger onClick={() => setLeaving(agent)}>
            {say("remove")}
          </Button>
        ),
    },
  ];
  return (
    <>
      <ListTable<Agent>
        columns={columns}
        dataSource={agents}
        rowKey="agentId"
        empty={<EmptyState title={say("none")} hint={say("noneHint")} />}
      />
      {leaving !== null && <RemoveAgentDialog agent={leaving} onDone={() => setLeaving(null)} />}
    </>
  );
}
