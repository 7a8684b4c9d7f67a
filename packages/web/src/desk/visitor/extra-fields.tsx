import { membersOf } from "../../shared/text/file-content.ts";
import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";
import styles from "./visitor-panel.module.css";

/** More than this is not drawn. */
const MOST_FIELDS = 60;
const MOST_LENGTH = 2_000;

/** What the integrator's own system says of the visitor: any object, shown as text and nothing else. */
export function ExtraFields({ extra }: { extra: unknown }) {
  const say = useWords(DESK);
  const fields = Object.entries(membersOf(extra)).slice(0, MOST_FIELDS);
  if (fields.length === 0) return null;
  return (
    <div className={styles.part}>
      <h3>{say("extra")}</h3>
      <dl className={styles.fields}>
        {fields.map(([name, value]) => (
          <ExtraField key={name} name={name} value={value} />
        ))}
      </dl>
    </div>
  );
}

function ExtraField({ name, value }: { name: string; value: unknown }) {
  const isPlain = typeof value !== "object" || value === null;
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  // A page knows numbers as doubles; a longer one is not what the integrator's system has.
  const isRounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  const shown = text.length > MOST_LENGTH ? `${text.slice(0, MOST_LENGTH)}…` : text;
  return (
    <>
      <dt dir="auto">{name}</dt>
      <dd dir="auto">{isPlain ? `${isRounded ? "≈ " : ""}${shown}` : <pre className={styles.json}>{shown}</pre>}</dd>
    </>
  );
}
