import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { BarList } from "../ui/bar-list.tsx";
import type { DeskStats } from "./service-query.ts";
import { SERVICE } from "./words.ts";

const STARS = [5, 4, 3, 2, 1] as const;

/** How many visitors gave how many stars. */
export function RatingsSection({ ratings }: { ratings: DeskStats["ratings"] }) {
  const say = useWords(SERVICE);
  const format = useFormat();
  const total = STARS.reduce((sum, stars) => sum + ratings[stars], 0);
  const average = STARS.reduce((sum, stars) => sum + stars * ratings[stars], 0) / Math.max(1, total);
  const shown = { average: format.number(Math.round(average * 10) / 10), count: format.number(total) };
  return (
    <Section title={say("ratings")} lead={total === 0 ? say("noRatings") : say("ratingsLead", shown)}>
      {total > 0 && (
        <BarList
          label={say("ratings")}
          bars={STARS.map((stars) => ({
            key: stars,
            name: <span>{say("stars", { count: stars })}</span>,
            count: ratings[stars],
          }))}
          full={total}
          tone="good"
        />
      )}
    </Section>
  );
}
