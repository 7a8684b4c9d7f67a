import type { Agent } from "@portico/protocol";
import { Button } from "antd";
import { useState } from "react";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { APP } from "../app/words.ts";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { MaxSessionsField } from "./max-sessions-field.tsx";
import { RemoveAgentDialog } from "./remove-agent-dialog.tsx";
import { AGENTS } from "./words.ts";

/** A row for each agent. */
export function AgentsTable({ agents }: { agents: Agent[] }) {
  const say = useWords(AGENTS);
  const sayApp = useWords(APP);
  const { isOwner } = useApp();
  const [leaving, setLeaving] = useState<Agent | null>(null);
  const columns: ListColumn<Agent>[] = [
    { title: say("name"), key: "name", cell: ({ name }) => name },
    { title: say("account"), key: "account", kind: "wide", cell: ({ agentId }) => <code>{agentId}</code> },
    {
      title: say("maxSessions"),
      key: "maxSessions",
      cell: (agent) => (isOwner ? <MaxSessionsField agent={agent} /> : agent.maxSessions),
    },
  ];
  const actions = (agent: Agent) =>
    isOwner && (
      <Button size="small" danger onClick={() => setLeaving(agent)}>
        {say("remove")}
      </Button>
    );
  return (
    <>
      <ListTable<Agent>
        label={sayApp("agents")}
        columns={columns}
        actions={isOwner ? actions : undefined}
        rows={agents}
        idOf={({ agentId }) => agentId}
        empty={<EmptyState title={say("none")} hint={say("noneHint")} />}
      />
      {leaving !== null && <RemoveAgentDialog agent={leaving} onDone={() => setLeaving(null)} />}
    </>
  );
}
