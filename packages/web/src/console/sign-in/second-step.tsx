import type { SecondStep as Step } from "@portico/protocol";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { consoleApi, consoleSession } from "../../shared/session/console.ts";
import { useWords } from "../../shared/words/words.ts";
import { CodeForm } from "../second-factor/code-form.tsx";
import styles from "../second-factor/second-factor.module.css";
import { SECOND_FACTOR } from "../second-factor/words.ts";
import { EnrolStep } from "./enrol-step.tsx";

/** The second step of a sign-in. */
export function SecondStep({
  second: { challenge, step },
  onBack,
}: {
  second: Step["secondFactor"];
  /** Begins anew. */
  onBack: () => void;
}) {
  const say = useWords(SECOND_FACTOR);
  const back = (
    <button type="button" className={styles.other} onClick={onBack}>
      {say("back")}
    </button>
  );
  return (
    <section className={styles.form} aria-label={say("codeTitle")}>
      <h2 className={styles.title}>{say("codeTitle")}</h2>
      {step === "code" ? <CodeStep challenge={challenge} /> : <EnrolStep challenge={challenge} back={back} />}
      {step === "code" && back}
    </section>
  );
}

function CodeStep({ challenge }: { challenge: string }) {
  const say = useWords(SECOND_FACTOR);
  const [isRecovery, setRecovery] = useState(false);
  const pass = useMutation({
    mutationFn: (code: string) => consoleApi.passSecondFactor({ body: { challenge, code } }),
    onSuccess: (login) => consoleSession.start(login),
  });
  return (
    <>
      <p className={styles.lead}>{say(isRecovery ? "recoveryLead" : "codeLead")}</p>
      <CodeForm
        key={String(isRecovery)}
        isRecovery={isRecovery}
        isPending={pass.isPending}
        error={pass.error}
        onCode={pass.mutate}
      >
        <button type="button" className={styles.other} onClick={() => setRecovery(!isRecovery)}>
          {say(isRecovery ? "useApp" : "useRecovery")}
        </button>
      </CodeForm>
    </>
  );
}
