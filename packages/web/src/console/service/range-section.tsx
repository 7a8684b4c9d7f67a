import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { type Figure, Figures } from "../ui/figures.tsx";
import type { DeskStats, Seconds } from "./service-query.ts";
import { useSeconds } from "./use-seconds.ts";
import { SERVICE } from "./words.ts";

/** What became of the conversations of the range. */
export function RangeSection({ stats }: { stats: DeskStats }) {
  const say = useWords(SERVICE);
  const format = useFormat();
  const inWords = useSeconds();
  const timeFigure = (name: string, seconds: Seconds): Figure => {
    if (seconds === null) return { name, value: "–" };
    return { name, value: inWords(seconds.p50), more: say("mostWithin", { duration: inWords(seconds.p90) }) };
  };
  return (
    <Section title={say("conversations")} lead={say("conversationsLead")}>
      <Figures
        figures={[
          { name: say("opened"), value: format.number(stats.opened) },
          { name: say("closed"), value: format.number(stats.closed) },
          timeFigure(say("waitingTime"), stats.waitingSeconds),
          timeFigure(say("firstReply"), stats.firstReplySeconds),
          timeFigure(say("handling"), stats.handlingSeconds),
        ]}
      />
    </Section>
  );
}
