import { type ReactNode, Suspense, useSyncExternalStore } from "react";
import type { Login, Session } from "../session/session.ts";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Answers } from "./answers.tsx";
import styles from "./signed-in.module.css";

/** Shows the sign-in until somebody is signed in, then the page. */
export function SignedIn<L extends Login>({
  session,
  signIn,
  children,
}: {
  session: Session<L>;
  signIn: ReactNode;
  children: (login: L) => ReactNode;
}) {
  const state = useSyncExternalStore(session.subscribe, session.snapshot);
  const say = useWords(SHARED);
  const waiting = <div className="coming" role="status" aria-label={say("loading")} />;
  switch (state.status) {
    case "restoring":
      return waiting;
    case "unreachable":
      return (
        <main className={styles.notice}>
          <ErrorNotice error={state.error} onRetry={() => session.restore()} />
        </main>
      );
    case "signed-out":
      return <Suspense fallback={waiting}>{signIn}</Suspense>;
    case "signed-in":
      // The next person in this browser must see nothing of this one's.
      return (
        <Answers key={session.person}>
          <Suspense fallback={waiting}>{children(state.login)}</Suspense>
        </Answers>
      );
  }
}
