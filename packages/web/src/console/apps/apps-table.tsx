import type { ReactNode } from "react";
import { Link } from "react-router";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { AppAvatar } from "../app/app-avatar.tsx";
import { APP_TYPE_WORDS, AppStatus } from "../app/app-status.tsx";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { useMe } from "../me.ts";
import { CONSOLE } from "../words.ts";
import type { ListedApp } from "./apps-queries.ts";
import styles from "./apps-table.module.css";
import { APPS } from "./words.ts";

/** A page of applications, each a link to its own pages. */
export function AppsTable({
  apps,
  onPage,
  empty,
}: {
  apps: { items: ListedApp[]; total: number; page: number };
  onPage: (page: number) => void;
  empty: ReactNode;
}) {
  const say = useWords(APPS);
  const sayConsole = useWords(CONSOLE);
  const { data: me } = useMe();
  const tenants = new Map(me?.tenants.map(({ tenantId, name }) => [tenantId, name]));
  const tenant: ListColumn<ListedApp> = {
    title: say("tenant"),
    key: "tenant",
    kind: "wide",
    cell: ({ tenantId }) => tenants.get(tenantId) ?? tenantId,
  };
  const columns: ListColumn<ListedApp>[] = [
    { title: say("name"), key: "name", cell: (app) => <AppName app={app} /> },
    { title: say("type"), key: "type", kind: "wide", cell: (app) => sayConsole(APP_TYPE_WORDS[app.type]) },
    { title: say("status"), key: "status", cell: (app) => <AppStatus status={app.status} /> },
    ...(tenants.size > 1 ? [tenant] : []),
    {
      title: say("owner"),
      key: "owner",
      kind: "wide",
      cell: (app) => (me === undefined ? null : say(app.ownerId === me.developerId ? "ownerYou" : "ownerOther")),
    },
    { title: say("createdAt"), key: "created", kind: "wide", cell: (app) => <TimeAgo at={app.createdAt} /> },
  ];
  return (
    <ListTable<ListedApp>
      label={sayConsole("apps")}
      columns={columns}
      rows={apps.items}
      idOf={({ appId }) => appId}
      paging={{ page: apps.page, total: apps.total, onPage }}
      empty={empty}
    />
  );
}

function AppName({ app }: { app: ListedApp }) {
  return (
    <div className={styles.name}>
      <AppAvatar app={app} size={32} />
      <div>
        <Link to={`/apps/${encodeURIComponent(app.appId)}`}>{app.displayName}</Link>
        <code>{app.appId}</code>
      </div>
    </div>
  );
}
