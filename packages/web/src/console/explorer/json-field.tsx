import { Input } from "antd";
import { useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./explorer.module.css";
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
  const [draft, setDraft] = useState<{ text: string; value: unknown; reason: string } | null>(null);
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
        status={isCurrent && draft.reason !== "" ? "error" : ""}
        aria-label={name}
        onChange={({ target }) => {
          const { value: next, reason } = readJson(target.value);
          setDraft({ text: target.value, value: reason === "" ? next : value, reason });
          if (reason === "") onChange(next);
        }}
      />
      {isCurrent && draft.reason !== "" && <span role="alert">{say("badJson", { reason: draft.reason })}</span>}
    </>
  );
}

/** The value of a text that is JSON; nothing for an empty one. `reason` says what is wrong with it; empty when nothing is. */
export function readJson(text: string): { value: unknown; reason: string } {
  if (text.trim() === "") return { value: undefined, reason: "" };
  try {
    return { value: JSON.parse(text), reason: "" };
  } catch (error) {
    return { value: undefined, reason: error instanceof Error ? error.message : String(error) };
  }
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
