import { useRef } from "react";
import { Link, Outlet, useLocation, useNavigate } from "react-router";
import { consoleSession } from "../../shared/session/console.ts";
import { AccountMenu } from "../../shared/ui/account-menu.tsx";
import { TopBar } from "../../shared/ui/top-bar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useMe } from "../me.ts";
import { CONSOLE } from "../words.ts";
import styles from "./console-shell.module.css";
import { usePageChange } from "./use-page-change.ts";

/** What is around every page of the console. */
export function ConsoleShell() {
  const say = useWords(CONSOLE);
  const { data: me } = useMe();
  const navigate = useNavigate();
  const isOperating = useLocation().pathname.startsWith("/operator");
  const content = useRef<HTMLElement>(null);
  usePageChange(content);
  return (
    <>
      <TopBar home="/console/apps" area={say("area")}>
        {me?.operator && (
          <Link to="/operator" className={styles.area} aria-current={isOperating ? "true" : undefined}>
            {say("operator")}
          </Link>
        )}
        <AccountMenu
          name={me?.name ?? ""}
          detail={me?.phone ?? ""}
          extra={[
            { kind: "action", key: "sessions", label: say("sessions"), onChoose: () => void navigate("/sessions") },
            { kind: "action", key: "security", label: say("security"), onChoose: () => void navigate("/security") },
            { kind: "line", key: "line-sessions" },
          ]}
          onSignOut={() => consoleSession.end()}
        />
      </TopBar>
      <main ref={content} id="content" tabIndex={-1} className={styles.content}>
        <Outlet />
      </main>
    </>
  );
}
