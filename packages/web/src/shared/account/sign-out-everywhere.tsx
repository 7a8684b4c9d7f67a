import { useMutation } from "@tanstack/react-query";
import { memberApi, memberSession } from "../session/member.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { useWords } from "../words/words.ts";
import styles from "./account-dialog.module.css";
import { SIGN_INS } from "./dialog-words.ts";

/** Ends all of the member's sign-ins. */
export function SignOutEverywhere({ onLeave }: { onLeave: () => void }) {
  const say = useWords(SIGN_INS);
  const end = useMutation({
    async mutationFn() {
      await memberApi.endAllSessions();
      onLeave();
      // Here nothing is left to end at the service; the page and its other tabs are to know.
      await memberSession.end();
    },
  });
  return (
    <section className={styles.part} aria-label={say("signOutEverywhere")}>
      <h3 className={styles.title}>{say("signOutEverywhere")}</h3>
      <p>{say("everywhereLead")}</p>
      <div className={styles.form}>
        {end.isError && <ErrorNotice error={end.error} />}
        <Button isBusy={end.isPending} onClick={() => end.mutate()}>
          {say("signOutEverywhere")}
        </Button>
      </div>
    </section>
  );
}
