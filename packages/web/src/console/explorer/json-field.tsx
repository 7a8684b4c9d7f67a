import { Input } from "antd";
import { useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./explorer.module.css";
import { type JsonFault, readJson } from "./read-json.ts";
import { EXPLORER } from "./words.ts";

/** A value of any shape, written as JSON; while it is not JSON yet, the value stays what it was. */
export function JsonField({
  id,
  name,
  value,
  onChange,
}: {
  id: string;
  name: string;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const say = useWords(EXPLORER);
  const [draft, setDraft] = useState<{ text: string; value: unknown; fault: JsonFault | null } | null>(null);
  // What was changed elsewhere, as in the body's own JSON, counts.
  const isCurrent = draft !== null && sameJson(draft.value, value);
  const text = isCurrent ? draft.text : value === undefined ? "" : JSON.stringify(value, null, 2);
  return (
    <>
      <Input.TextArea
        id={id}
        className={styles.json}
        value={text}
        autoSize={{ minRows: 2, maxRows: 14 }}
        spellCheck={false}
        status={isCurrent && draft.fault !== null ? "error" : ""}
        aria-label={name}
        onChange={({ target }) => {
          const { value: next, fault } = readJson(target.value);
          setDraft({ text: target.value, value: fault === null ? next : value, fault });
          if (fault === null) onChange(next);
        }}
      />
      {isCurrent && draft.fault !== null && <span role="alert">{say(draft.fault.word, draft.fault.place)}</span>}
    </>
  );
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
