import { useFormat } from "../../../../shared/words/format.ts";
import { useWords } from "../../../../shared/words/words.ts";
import styles from "./import-dialog.module.css";
import type { Import } from "./import-state.ts";
import { MEMBER_IMPORT } from "./words.ts";

/** Members that are shown before an import, and lines with a problem. */
const SAMPLES = 5;
const MOST_PROBLEMS = 200;

/** What would become of a file's lines, or became of them. */
export function ImportReport({ of }: { of: Import }) {
  const say = useWords(MEMBER_IMPORT);
  const format = useFormat();
  const { stage, fileName, total, added, present, problems, lines } = of;
  const isAhead = stage === "checked";
  const figures = [
    { name: say(isAhead ? "toAdd" : "added"), value: added },
    { name: say("present"), value: present },
    { name: say("wrong"), value: problems.length },
  ];
  return (
    <>
      <p role="status" className={styles.summary}>
        {say(isAhead ? "fileHas" : "fileHad", { name: fileName, count: total })}{" "}
        {present + problems.length > 0 && say("left")}
      </p>
      <dl className={styles.figures}>
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{format.number(value)}</dd>
          </div>
        ))}
      </dl>
      {isAhead && lines.length > 0 && (
        <table className={styles.sample} aria-label={say("sample")}>
          <thead>
            <tr>
              {(["line", "username", "name", "phone"] as const).map((column) => (
                <th key={column} scope="col">
                  {say(column === "line" ? "lineTitle" : `${column}Title`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, SAMPLES).map(({ line, username, name, phone }) => (
              <tr key={line}>
                <td>{line}</td>
                <td>{username}</td>
                <td>{name || username}</td>
                <td>{phone || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {problems.length > 0 && <Problems problems={problems} />}
    </>
  );
}

function Problems({ problems }: Pick<Import, "problems">) {
  const say = useWords(MEMBER_IMPORT);
  const sorted = [...problems].sort((a, b) => a.line - b.line);
  return (
    <section aria-label={say("problems")} className={styles.problems}>
      <h2>{say("problems")}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ul tabIndex={0} aria-label={say("problems")}>
        {sorted.slice(0, MOST_PROBLEMS).map(({ line, problem, other = "" }) => (
          <li key={line}>
            <span>{say("line", { line })}</span> {say(`${problem}Wrong`, { other })}
          </li>
        ))}
      </ul>
      {sorted.length > MOST_PROBLEMS && <p>{say("moreProblems", { count: sorted.length - MOST_PROBLEMS })}</p>}
    </section>
  );
}
