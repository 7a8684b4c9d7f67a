import { Input } from "antd";
import { useId } from "react";
import type { OperationName } from "../../shared/calls/snippets/snippet-call.ts";
import { useWords } from "../../shared/words/words.ts";
import { BodyEditor } from "./body-editor.tsx";
import { type CallInput, endpointOf, paramNamesOf } from "./built-call.ts";
import styles from "./explorer.module.css";
import { type JsonSchema, membersOf } from "./schema-field.ts";
import { FieldFrame, MemberFields } from "./schema-form.tsx";
import { EXPLORER } from "./words.ts";

/** Everything that a call takes: parts of its path, its query, its body or its file. */
export function CallInputForm({
  operation,
  input,
  onChange,
}: {
  operation: OperationName;
  input: CallInput;
  onChange: (input: CallInput) => void;
}) {
  const say = useWords(EXPLORER);
  const id = useId();
  const endpoint = endpointOf(operation);
  const params = paramNamesOf(endpoint);
  const { query, body, takesFile } = endpoint;
  return (
    <>
      {(params.length > 0 || query !== undefined) && (
        <fieldset className={styles.fields}>
          <legend>{say("parameters")}</legend>
          {params.map((name) => (
            <FieldFrame key={name} id={`${id}${name}`} name={name} isRequired hint={say("pathParameter")}>
              <Input
                id={`${id}${name}`}
                value={input.params[name] ?? ""}
                maxLength={256}
                autoComplete="off"
                onChange={({ target }) =>
                  onChange({ ...input, params: { ...input.params, [name]: target.value.trim() } })
                }
              />
            </FieldFrame>
          ))}
          {query !== undefined && (
            <MemberFields
              members={membersOf(query as JsonSchema)}
              value={input.query}
              onChange={(next) => onChange({ ...input, query: next })}
            />
          )}
        </fieldset>
      )}
      {body !== undefined && !takesFile && (
        <BodyEditor schema={body as JsonSchema} json={input.json} onChange={(json) => onChange({ ...input, json })} />
      )}
      {takesFile && (
        <div className={styles.field}>
          <span aria-hidden="true">{say("file")}</span>
          <span className={styles.file}>
            {/* The browser's own field is in its own language. */}
            <input
              id={`${id}-file`}
              type="file"
              className="visually-hidden"
              aria-label={say("file")}
              onChange={({ target }) => onChange({ ...input, file: target.files?.[0] ?? null })}
            />
            <label htmlFor={`${id}-file`}>{say("chooseFile")}</label>
            <span className={styles.quiet}>{input.file?.name ?? say("noFile")}</span>
          </span>
          <span className={styles.hint}>{say("fileHint")}</span>
        </div>
      )}
    </>
  );
}
