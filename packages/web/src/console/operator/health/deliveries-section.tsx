import type { Health } from "@portico/protocol";
import { Link } from "react-router";
import { Pill } from "../../../shared/ui/pill.tsx";
import { useFormat, useNow } from "../../../shared/words/format.ts";
import { useWords } from "../../../shared/words/words.ts";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import styles from "./health.module.css";
import { HEALTH } from "./words.ts";

type Deliveries = NonNullable<Health["deliveries"]>;
type Circuit = NonNullable<Deliveries["circuits"]>[number];

/** The ages are told in seconds. */
const RENEWED_MS = 1_000;

/** What waits to be delivered, since when, and what holds it back. */
export function DeliveriesSection({ deliveries }: { deliveries: Deliveries }) {
  const say = useWords(HEALTH);
  const format = useFormat();
  const now = useNow(RENEWED_MS);
  const { waiting, countedTo, oldestDueAt, circuits } = deliveries;
  return (
    <>
      <dl className={styles.figures}>
        <div>
          <dt>{say("waiting")}</dt>
          <dd>
            {format.number(waiting)}
            {waiting >= countedTo && "+"}
          </dd>
        </div>
        <div>
          <dt>{say("oldest")}</dt>
          <dd>
            {oldestDueAt === null ? "–" : format.duration(Math.max(Math.round((now - oldestDueAt) / 1_000), 0) * 1_000)}
          </dd>
        </div>
        <div>
          <dt>{say("circuits")}</dt>
          <dd>{circuits === null ? "–" : format.number(circuits.length)}</dd>
        </div>
      </dl>
      {circuits !== null && circuits.length > 0 && <Circuits circuits={circuits} now={now} />}
    </>
  );
}

function Circuits({ circuits, now }: { circuits: readonly Circuit[]; now: number }) {
  const say = useWords(HEALTH);
  const format = useFormat();
  const columns: ListColumn<Circuit>[] = [
    {
      key: "app",
      title: say("application"),
      cell: ({ appId, displayName }) => (
        <Link to={`/operator/applications?search=${encodeURIComponent(appId)}`}>{displayName || appId}</Link>
      ),
    },
    {
      key: "state",
      title: say("state"),
      cell: ({ state }) => (
        <Pill tone={state === "OPEN" ? "bad" : "warn"}>{say(state === "OPEN" ? "open" : "probing")}</Pill>
      ),
    },
    {
      key: "until",
      title: say("until"),
      kind: "wide",
      cell: ({ openUntil }) => (openUntil === null ? "–" : format.relative(openUntil, now)),
    },
  ];
  return (
    <ListTable<Circuit>
      label={say("circuits")}
      columns={columns}
      rows={circuits}
      idOf={({ appId }) => appId}
      empty={null}
    />
  );
}
