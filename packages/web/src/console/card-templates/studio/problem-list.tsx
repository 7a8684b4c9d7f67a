import { usePreferences } from "../../../shared/look/preferences.ts";
import { useWords } from "../../../shared/words/words.ts";
import { problemInWords } from "../study/problem-words.ts";
import type { Problem, Study } from "../study/study-card.ts";
import { PROBLEMS } from "../study/words.ts";
import styles from "./problem-list.module.css";
import { STUDIO } from "./words.ts";

/** What is to be mended; each leads to its place in the text. */
export function ProblemList({
  study: { problems, hasKeys },
  onOpen,
}: {
  study: Study;
  onOpen: (problem: Problem) => void;
}) {
  const say = useWords(STUDIO);
  const sayProblem = useWords(PROBLEMS);
  const { locale } = usePreferences();
  return (
    <div className={styles.problems}>
      <h2 className={styles.title}>
        {say("problems")}
        {problems.length > 0 && <span className={styles.count}>{problems.length}</span>}
      </h2>
      {problems.length === 0 && <p className={styles.none}>{say(hasKeys ? "noProblemsButKeys" : "noProblems")}</p>}
      <ul className={styles.list} aria-label={say("problems")}>
        {problems.map((problem) => {
          const { what, todo } = problemInWords(problem, sayProblem, locale);
          return (
            <li key={`${problem.from}-${what}`}>
              <button type="button" className={styles.problem} onClick={() => onOpen(problem)}>
                <span className={styles.place}>{say("line", { line: problem.line })}</span>
                <span>
                  <strong>{what}</strong> {todo}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
