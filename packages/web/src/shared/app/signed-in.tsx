import { Spin } from "antd";
import { type ReactNode, Suspense, useEffect } from "react";
import { type Login, type Session, useSession } from "../session/session.ts";
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
  const state = useSession(session);
  const say = useWords(SHARED);
  useEffect(() => {
    if (session.state.status === "restoring") void session.restore();
  }, [session]);
  const waiting = (
    <div className={styles.centre} role="status" aria-label={say("loading")}>
      <Spin delay={300} />
    </div>
  );
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
