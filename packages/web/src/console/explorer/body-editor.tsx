import { Input, Segmented } from "antd";
import { useState } from "react";
import { Notice } from "../../shared/ui/notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { ConversationField } from "./conversation-field.tsx";
import styles from "./explorer.module.css";
import { readJson } from "./read-json.ts";
import { type JsonSchema, membersOf } from "./schema-field.ts";
import { MemberFields } from "./schema-form.tsx";
import { EXPLORER } from "./words.ts";

/** A body as a form and as JSON. The text is what is sent, to the byte; the form writes it anew where it changes it. */
export function BodyEditor({
  schema,
  json,
  onChange,
}: {
  schema: JsonSchema;
  json: string;
  onChange: (json: string) => void;
}) {
  const say = useWords(EXPLORER);
  const [view, setView] = useState<"form" | "json">("form");
  const { value, fault } = readJson(json);
  const members = membersOf(schema);
  const write = (next: unknown) => onChange(JSON.stringify(next, null, 2));
  return (
    <fieldset className={styles.fields}>
      <legend>{say("body")}</legend>
      <Segmented<"form" | "json">
        aria-label={say("body")}
        value={view}
        options={[
          { value: "form", label: say("asForm") },
          { value: "json", label: say("asJson") },
        ]}
        onChange={setView}
        className={styles.choice}
      />
      {view === "json" && (
        <>
          <Input.TextArea
            aria-label={say("bodyJson")}
            className={styles.json}
            value={json}
            autoSize={{ minRows: 8, maxRows: 28 }}
            spellCheck={false}
            status={fault === null ? "" : "error"}
            onChange={({ target }) => onChange(target.value)}
          />
          {fault !== null && <span role="alert">{say(fault.word, fault.place)}</span>}
        </>
      )}
      {view === "form" && fault !== null && <Notice tone="warning" title={say("badJsonForm")} />}
      {view === "form" && fault === null && (
        <>
          {members.some(({ name }) => name === "receiveId") && <ConversationField value={value} onChange={write} />}
          <MemberFields members={members} value={value} onChange={write} />
        </>
      )}
    </fieldset>
  );
}
