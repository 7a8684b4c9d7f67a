import type { ConsoleLogin, SecondStep as Step } from "@portico/protocol";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { consoleApi, consoleSession } from "../../shared/session/console.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { useFormat } from "../../shared/words/format.ts";
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
      {step === "code" ? (
        <CodeStep challenge={challenge} back={back} />
      ) : (
        <EnrolStep challenge={challenge} back={back} />
      )}
    </section>
  );
}

function CodeStep({ challenge, back }: { challenge: string; back: ReactNode }) {
  const say = useWords(SECOND_FACTOR);
  const [isRecovery, setRecovery] = useState(false);
  const pass = useMutation({
    mutationFn: (code: string) => consoleApi.passSecondFactor({ body: { challenge, code } }),
    onSuccess: (login) => {
      if (login.wrongCodes === undefined) consoleSession.start(login);
    },
  });
  if (pass.data?.wrongCodes !== undefined) {
    const { wrongCodes, ...login } = pass.data;
    return <OthersCodes wrongCodes={wrongCodes} onSeen={() => consoleSession.start(login)} />;
  }
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
      {back}
    </>
  );
}

/** Tells who has signed in of the codes that others have tried; it goes only by its button, so that it is seen. */
function OthersCodes({
  wrongCodes: { count, since },
  onSeen,
}: {
  wrongCodes: NonNullable<ConsoleLogin["wrongCodes"]>;
  onSeen: () => void;
}) {
  const say = useWords(SECOND_FACTOR);
  const format = useFormat();
  return (
    <div className={styles.form}>
      <Notice tone="warning" role="alert" title={say("wrongCodes", { count, since: format.dateTime(since) })}>
        <p>{say("wrongCodesWhat")}</p>
      </Notice>
      <Button kind="primary" autoFocus onClick={onSeen}>
        {say("proceed")}
      </Button>
    </div>
  );
}
