import { useWords } from "../../shared/words/words.ts";
import { DOCS } from "../words.ts";
import { type Call, nameOf, useApiDocument } from "./api-document.ts";
import styles from "./errors.module.css";

/** The errors of a call: its own first, by status. */
export function Errors({ call }: { call: Call }) {
  const say = useWords(DOCS);
  const { components } = useApiDocument();
  const rows = Object.entries(call.operation.responses).flatMap(([status, { description, content }]) => {
    const examples = Object.entries(content?.["application/json"]?.examples ?? {});
    if (examples.length === 0)
      return /^[45]/.test(status) ? [{ status, name: "", code: "", meaning: description }] : [];
    return examples.map(([name, example]) => {
      const { summary = "", value } = components.examples[nameOf(example)] ?? {};
      return { status, name, code: codeOf(value), meaning: summary };
    });
  });
  if (rows.length === 0) return null;
  return (
    <section aria-label={say("errors")}>
      <h2>{say("errors")}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <div className={styles.room} tabIndex={0}>
        <table className={styles.errors}>
          <thead>
            <tr>
              <th scope="col">{say("status")}</th>
              <th scope="col">{say("code")}</th>
              <th scope="col">{say("meaning")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ status, name, code, meaning }) => (
              <tr key={`${status}${name}`}>
                <td>{status}</td>
                <td>
                  <code>{code}</code>
                </td>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The code of an envelope, or the errorCode of the console. */
function codeOf(value: unknown): string {
  const { code, errorCode } = (value ?? {}) as { code?: string; errorCode?: string };
  return errorCode ?? code ?? "";
}
