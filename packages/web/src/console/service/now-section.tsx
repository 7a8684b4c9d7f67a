import { Section } from "../../shared/ui/page.tsx";
import { useFormat, useNow } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { Figures } from "../ui/figures.tsx";
import type { DeskStats } from "./service-query.ts";
import { useSeconds } from "./use-seconds.ts";
import { SERVICE } from "./words.ts";

/** Often enough for a wait of seconds. */
const RENEWED_MS = 5_000;

/** Who waits and who is there, at this moment. */
export function NowSection({ stats: { queue, agents } }: { stats: DeskStats }) {
  const say = useWords(SERVICE);
  const format = useFormat();
  const inWords = useSeconds();
  const now = useNow(RENEWED_MS);
  const { waiting, oldestWaitingSince: since } = queue;
  const online = agents.filter((agent) => agent.online).length;
  const active = agents.reduce((sum, { activeSessions }) => sum + activeSessions, 0);
  return (
    <Section title={say("now")} lead={say("nowLead")}>
      <Figures
        figures={[
          { name: say("waiting"), value: format.number(waiting) },
          { name: say("longestWait"), value: since === null ? "–" : inWords(Math.round((now - since) / 1_000)) },
          {
            name: say("agentsOnline"),
            value: format.number(online),
            more: say("ofAgents", { count: format.number(agents.length) }),
          },
          { name: say("underWay"), value: format.number(active) },
        ]}
      />
    </Section>
  );
}
