import { Button } from "antd";
import { type ReactNode, useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./persons.module.css";
import { PERSONS } from "./words.ts";

/** What can be done with all that is stored about somebody: rare things, apart from what is done every day. */
export function PersonalData({
  lead,
  exporting,
  erasing,
}: {
  lead: string;
  /** The dialog of each. */
  exporting: (onDone: () => void) => ReactNode;
  erasing: (onDone: () => void) => ReactNode;
}) {
  const say = useWords(PERSONS);
  const [asking, setAsking] = useState<"export" | "erase" | null>(null);
  const onDone = () => setAsking(null);
  return (
    <section aria-label={say("data")} className={styles.part}>
      <h2>{say("data")}</h2>
      <p className={styles.quiet}>{lead}</p>
      <div className={styles.buttons}>
        <Button size="small" onClick={() => setAsking("export")}>
          {say("exportData")}
        </Button>
        <Button size="small" danger onClick={() => setAsking("erase")}>
          {say("erase")}
        </Button>
      </div>
      {asking === "export" && exporting(onDone)}
      {asking === "erase" && erasing(onDone)}
    </section>
  );
}
