import type { Health } from "@portico/protocol";
import type { ReactNode } from "react";
import { Pill, type Tone } from "../../../shared/ui/pill.tsx";
import { useFormat } from "../../../shared/words/format.ts";
import { useWords } from "../../../shared/words/words.ts";
import styles from "./health.module.css";
import { HEALTH } from "./words.ts";

/** What the service depends on, each with its state first. */
export function Parts({ health: { database, redis, disk } }: { health: Health }) {
  const say = useWords(HEALTH);
  const format = useFormat();
  const { freeBytes, totalBytes } = disk;
  return (
    <dl className={styles.parts}>
      <Part name={say(database.engine === "SQLITE" ? "sqlite" : "postgresql")} state={storeState(database)}>
        {database.pingMs !== null && say("answeredIn", { time: format.duration(database.pingMs) })}
      </Part>
      {redis !== null && (
        <Part name="Redis" state={storeState(redis)}>
          {redis.pingMs !== null && say("answeredIn", { time: format.duration(redis.pingMs) })}
        </Part>
      )}
      <Part name={say("disk")} state={diskState(disk)}>
        {say("freeOf", { free: format.bytes(freeBytes), total: format.bytes(totalBytes) })}
      </Part>
    </dl>
  );
}

interface State {
  word: "works" | "down" | "roomy" | "tight" | "full";
  tone: Tone;
}

function storeState({ ok }: { ok: boolean }): State {
  return ok ? { word: "works", tone: "good" } : { word: "down", tone: "bad" };
}

function diskState({ takesUploads, takesMessages }: Health["disk"]): State {
  if (!takesMessages) return { word: "full", tone: "bad" };
  return takesUploads ? { word: "roomy", tone: "good" } : { word: "tight", tone: "warn" };
}

function Part({ name, state: { word, tone }, children }: { name: string; state: State; children: ReactNode }) {
  const say = useWords(HEALTH);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Pill tone={tone}>{say(word)}</Pill>
      </dd>
      <dd className={styles.detail}>{children}</dd>
    </div>
  );
}
