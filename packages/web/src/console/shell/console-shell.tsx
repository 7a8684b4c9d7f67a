import { useMutation } from "@tanstack/react-query";
import { Outlet, useNavigate } from "react-router";
import { consoleSession } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { AccountMenu, TopBar } from "../../shared/ui/top-bar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useMe } from "../me.ts";
import { CONSOLE } from "../words.ts";
import styles from "./console-shell.module.css";

/** What is around every page of the console. */
export function ConsoleShell() {
  const say = useWords(CONSOLE);
  const { data: me } = useMe();
  const navigate = useNavigate();
  const signOut = useMutation({ mutationFn: () => consoleSession.end() });
  return (
    <>
      <TopBar home="/console/apps" area={say("area")}>
        <AccountMenu
          id={me?.developerId ?? ""}
          name={me?.name ?? ""}
          detail={me?.phone ?? ""}
          extra={[
            { kind: "action", key: "sessions", label: say("sessions"), onChoose: () => void navigate("/sessions") },
            { kind: "line", key: "line-sessions" },
          ]}
          onSignOut={() => signOut.mutate()}
        />
      </TopBar>
      <main id="content" className={styles.content}>
        {signOut.isError && <ErrorNotice error={signOut.error} onRetry={() => signOut.mutate()} />}
        <Outlet />
      </main>
    </>
  );
}
