import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { consoleApi, consoleSession } from "../../shared/session/console.ts";
import { Button } from "../../shared/ui/button.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { CodeForm } from "../second-factor/code-form.tsx";
import { RecoveryCodes } from "../second-factor/recovery-codes.tsx";
import styles from "../second-factor/second-factor.module.css";
import { SecretView } from "../second-factor/secret-view.tsx";
import { SECOND_FACTOR } from "../second-factor/words.ts";

/** The second step of a sign-in of somebody who has to set a second factor up first. */
export function EnrolStep({
  challenge,
  back,
}: {
  challenge: string;
  /** Begins anew; not beside the recovery codes, which are shown this once. */
  back: ReactNode;
}) {
  const say = useWords(SECOND_FACTOR);
  const sayShared = useWords(SHARED);
  const secret = useQuery({
    queryKey: ["enrol-at-sign-in", challenge],
    queryFn: () => consoleApi.enrolAtSignIn({ body: { challenge } }),
    // Another secret would take the place of the one that was scanned.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const confirm = useMutation({
    mutationFn: (code: string) => consoleApi.confirmAtSignIn({ body: { challenge, code } }),
  });
  if (confirm.data !== undefined) {
    const { recoveryCodes, ...login } = confirm.data;
    return (
      <div className={styles.form}>
        <h3 className={styles.title}>{say("codesTitle")}</h3>
        <RecoveryCodes codes={recoveryCodes} />
        <Button kind="primary" onClick={() => consoleSession.start(login)}>
          {sayShared("stored")}
        </Button>
      </div>
    );
  }
  if (secret.isError) {
    return (
      <>
        <ErrorNotice error={secret.error} />
        {back}
      </>
    );
  }
  return (
    <>
      <p className={styles.lead}>{say("enrolLead")}</p>
      {secret.data !== undefined && (
        <CodeForm
          isPending={confirm.isPending}
          error={confirm.error}
          onCode={confirm.mutate}
          before={<SecretView enrolment={secret.data} />}
        />
      )}
      {back}
    </>
  );
}
