import { ConsoleRefusedError } from "@portico/protocol/client";
import { Tooltip } from "antd";
import { Link, Outlet, useParams } from "react-router";
import { NotFound } from "../../shared/app/not-found.tsx";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Pill } from "../../shared/ui/pill.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useMe } from "../me.ts";
import { QueryView } from "../ui/query-view.tsx";
import { CONSOLE } from "../words.ts";
import { AppAvatar } from "./app-avatar.tsx";
import type { AppContext } from "./app-context.ts";
import { AppNavigation } from "./app-navigation.tsx";
import { type AppDetail, useAppQuery } from "./app-queries.ts";
import styles from "./app-shell.module.css";
import { APP_TYPE_WORDS, AppStatus } from "./app-status.tsx";
import { APP } from "./words.ts";

/** What is around every page of an application: which it is, and the way to its other pages. */
export function AppShell() {
  const say = useWords(APP);
  const sayConsole = useWords(CONSOLE);
  const { appId = "" } = useParams();
  const query = useAppQuery(appId);
  const meQuery = useMe();
  const me = meQuery.data;
  return (
    <div className={styles.shell}>
      <nav aria-label={say("breadcrumb")} className={styles.crumbs}>
        <Link to="/apps">{sayConsole("apps")}</Link>
        <span aria-hidden="true">/</span>
        <Link to={`/apps/${encodeURIComponent(appId)}`} aria-current="location">
          {query.data?.displayName ?? appId}
        </Link>
      </nav>
      {meQuery.isError && <ErrorNotice error={meQuery.error} onRetry={() => void meQuery.refetch()} />}
      {query.data === undefined && !isUnknown(query.error) && <h1 className="visually-hidden">{appId}</h1>}
      {isUnknown(query.error) ? (
        <NotFound />
      ) : (
        <QueryView query={query}>
          {(app) => {
            const context: AppContext = { app, isOwner: me !== undefined && app.ownerId === me.developerId };
            return (
              <>
                <AppHeader app={app} isViewer={me !== undefined && !context.isOwner} />
                <AppNavigation key={app.appId} appId={app.appId} type={app.type}>
                  <Outlet context={context} />
                </AppNavigation>
              </>
            );
          }}
        </QueryView>
      )}
    </div>
  );
}

/** Whether there is no such application, or none that this developer may see. */
function isUnknown(error: unknown): boolean {
  return error instanceof ConsoleRefusedError && error.status === 404;
}

function AppHeader({ app, isViewer }: { app: AppDetail; isViewer: boolean }) {
  const say = useWords(APP);
  const sayConsole = useWords(CONSOLE);
  return (
    <div className={styles.header}>
      <AppAvatar app={app} size={44} />
      <div className={styles.identity}>
        <div className={styles.name}>
          <strong>{app.displayName}</strong>
          <Pill>{sayConsole(APP_TYPE_WORDS[app.type])}</Pill>
          <AppStatus status={app.status} />
          {isViewer && (
            <Tooltip title={say("viewOnlyHint")}>
              <span>
                <Pill tone="accent">{say("viewOnly")}</Pill>
              </span>
            </Tooltip>
          )}
        </div>
        <Copyable text={app.appId} label="appId" />
      </div>
    </div>
  );
}
