import { CheckCircleFilled } from "@ant-design/icons-svg";
import { Link } from "react-router";
import { Icon } from "../../shared/ui/icon.tsx";
import { Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { QueryView } from "../ui/query-view.tsx";
import { type NextStep, nextSteps } from "./next-steps.ts";
import styles from "./next-steps-section.module.css";
import { useProgressQuery } from "./overview-queries.ts";
import { OVERVIEW } from "./words.ts";

/** What there is still to do until the application works, and what is done. */
export function NextStepsSection() {
  const say = useWords(OVERVIEW);
  const { app } = useApp();
  const query = useProgressQuery(app);
  return (
    <Section title={say("nextSteps")}>
      <QueryView query={query}>
        {(progress) => {
          const steps = nextSteps(app, progress);
          const next = steps.find(({ isDone }) => !isDone);
          return (
            <>
              {next === undefined && <p className={styles.all}>{say("allDone")}</p>}
              <ol className={styles.steps} aria-label={say("nextSteps")}>
                {steps.map((step) => (
                  <Step key={step.key} step={step} isNext={step === next} start={`/apps/${app.appId}`} />
                ))}
              </ol>
            </>
          );
        }}
      </QueryView>
    </Section>
  );
}

function Step({ step: { word, hint, to, isDone }, isNext, start }: { step: NextStep; isNext: boolean; start: string }) {
  const say = useWords(OVERVIEW);
  return (
    <li className={styles.step} data-next={isNext || undefined}>
      <span className={styles.mark} data-done={isDone || undefined}>
        {isDone ? <Icon of={CheckCircleFilled} /> : null}
        <span className="visually-hidden">{`${say(isDone ? "stepDone" : "stepOpen")} `}</span>
      </span>
      <div>
        {to.startsWith("#") ? <a href={to}>{say(word)}</a> : <Link to={`${start}/${to}`}>{say(word)}</Link>}
        {!isDone && <p>{say(hint)}</p>}
      </div>
    </li>
  );
}
