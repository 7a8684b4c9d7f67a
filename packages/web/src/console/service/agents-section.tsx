import type { AgentStatus } from "@portico/protocol";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Section } from "../../shared/ui/page.tsx";
import { Pill } from "../../shared/ui/pill.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import lists from "../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import type { AgentFigures, Seconds } from "./service-query.ts";
import { useSeconds } from "./use-seconds.ts";
import { SERVICE } from "./words.ts";

const STATUS_WORDS = { ONLINE: "away", BUSY: "busy", OFFLINE: "offline" } as const satisfies Record<
  AgentStatus,
  string
>;

/** A row for each agent: what they do, and what they did. */
export function AgentsSection({ agents }: { agents: readonly AgentFigures[] }) {
  const say = useWords(SERVICE);
  const format = useFormat();
  const inWords = useSeconds();
  const half = (seconds: Seconds) => (seconds === null ? "–" : inWords(seconds.p50));
  const columns: ListColumn<AgentFigures>[] = [
    {
      key: "agent",
      title: say("agent"),
      cell: ({ agentId, agentName }) => (
        <>
          {agentName} <code className={lists.narrow}>{agentId}</code>
        </>
      ),
    },
    { key: "status", title: say("status"), cell: (agent) => <Status agent={agent} /> },
    {
      key: "active",
      title: say("underWay"),
      kind: "number",
      cell: ({ activeSessions, maxSessions }) =>
        say("activeOf", { active: format.number(activeSessions), most: format.number(maxSessions) }),
    },
    { key: "handled", title: say("closed"), kind: "number", cell: ({ handled }) => format.number(handled) },
    {
      key: "firstReply",
      title: say("firstReply"),
      kind: "wide-number",
      cell: ({ firstReplySeconds }) => half(firstReplySeconds),
    },
    {
      key: "handling",
      title: say("handling"),
      kind: "wide-number",
      cell: ({ handlingSeconds }) => half(handlingSeconds),
    },
    {
      key: "rating",
      title: say("rating"),
      kind: "wide-number",
      cell: ({ rating: { average, count } }) =>
        average === null ? "–" : say("ratingOf", { average: format.number(average), count: format.number(count) }),
    },
  ];
  return (
    <Section title={say("agents")} lead={say("agentsLead")}>
      <ListTable<AgentFigures>
        label={say("agents")}
        columns={columns}
        rows={agents}
        idOf={({ agentId }) => agentId}
        empty={<EmptyState title={say("noAgents")} hint={say("noAgentsHint")} />}
      />
    </Section>
  );
}

function Status({ agent: { online, status } }: { agent: AgentFigures }) {
  const say = useWords(SERVICE);
  if (online) return <Pill tone="good">{say("online")}</Pill>;
  return <Pill tone={status === "BUSY" ? "warn" : "neutral"}>{say(STATUS_WORDS[status])}</Pill>;
}
