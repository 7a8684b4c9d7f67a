import { Activity, type ReactNode, Suspense, useSyncExternalStore } from "react";
import type { Login, Session } from "../session/session.ts";
import { EndedContext } from "../sign-in/ended.ts";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Answers } from "./answers.tsx";
import styles from "./signed-in.module.css";

/**
 * Shows the sign-in until somebody is signed in, then the page. The page of who was signed out elsewhere rests, out of sight: it
 * goes on where it was when the same person signs in again, and is gone when anybody else does.
 */
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
  const isIn = state.status === "signed-in";
  const login = isIn ? state.login : state.left?.login;
  return (
    <>
      {login !== undefined && (
        <Activity key={session.personOf(login)} mode={isIn ? "visible" : "hidden"}>
          {/* The next person in this browser must see nothing of this one's. */}
          <Answers>
            <Suspense fallback={waiting}>{children(login)}</Suspense>
          </Answers>
        </Activity>
      )}
      {state.status === "restoring" && waiting}
      {state.status === "unreachable" && (
        <main className={styles.notice}>
          <ErrorNotice error={state.error} onRetry={() => session.restore()} />
        </main>
      )}
      {state.status === "signed-out" && (
        <EndedContext value={state.left?.by ?? null}>
          <Suspense fallback={waiting}>{signIn}</Suspense>
        </EndedContext>
      )}
    </>
  );
}
