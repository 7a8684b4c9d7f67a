import { Button } from "antd";
import { type ReactNode, useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { ErrorNotice } from "../../../shared/ui/error-notice.tsx";
import { TimeAgo } from "../../../shared/ui/time-ago.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { APP_TYPE_WORDS, AppStatus } from "../../app/app-status.tsx";
import { APPS } from "../../apps/words.ts";
import { useAddress } from "../../lists/address.ts";
import lists from "../../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import { CONSOLE } from "../../words.ts";
import { useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { AppDetails } from "./app-details.tsx";
import { AppName } from "./app-name.tsx";
import { DisableAppDialog } from "./disable-app-dialog.tsx";

type AppPage = Awaited<ReturnType<typeof operatorApi.listApps>>;
type AnyApp = AppPage["items"][number];

/** A page of applications; a row opens to what the application may do and has used. */
export function AllAppsTable({
  apps,
  onPage,
  empty,
}: {
  apps: AppPage;
  onPage: (page: number) => void;
  empty: ReactNode;
}) {
  const say = useWords(OPERATOR);
  const sayApps = useWords(APPS);
  const sayConsole = useWords(CONSOLE);
  const { params, change } = useAddress();
  const [disabling, setDisabling] = useState<AnyApp | null>(null);
  const enable = useOperatorChange(({ appId }: AnyApp) => operatorApi.enableApp({ params: { appId } }));
  const columns: ListColumn<AnyApp>[] = [
    { title: sayApps("name"), key: "name", cell: (app) => <AppName app={app} /> },
    { title: sayApps("type"), key: "type", kind: "wide", cell: ({ type }) => sayConsole(APP_TYPE_WORDS[type]) },
    { title: say("tenant"), key: "tenant", kind: "wide", cell: ({ tenantId }) => <code>{tenantId}</code> },
    { title: sayApps("owner"), key: "owner", kind: "wide", cell: ({ owner }) => owner?.name ?? "–" },
    { title: sayApps("createdAt"), key: "created", kind: "wide", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
    { title: sayApps("status"), key: "status", cell: ({ status }) => <AppStatus status={status} /> },
  ];
  const actions = (app: AnyApp) => {
    if (app.status === "ACTIVE") {
      return (
        <Button size="small" danger onClick={() => setDisabling(app)}>
          {say("disable")}
        </Button>
      );
    }
    if (app.status !== "DISABLED") return null;
    return (
      <Button size="small" loading={enable.isPending && enable.variables === app} onClick={() => enable.mutate(app)}>
        {say("enable")}
      </Button>
    );
  };
  return (
    <>
      {enable.isError && <ErrorNotice error={enable.error} />}
      <ListTable<AnyApp>
        label={say("applications")}
        columns={columns}
        rows={apps.items}
        idOf={({ appId }) => appId}
        actions={(app) => <span className={lists.choices}>{actions(app)}</span>}
        opening={{
          openId: params.get("open") ?? undefined,
          onOpen: (open) => change({ open }),
          detail: ({ appId }) => <AppDetails appId={appId} />,
        }}
        paging={{ page: apps.page, total: apps.total, onPage }}
        empty={empty}
      />
      {disabling !== null && <DisableAppDialog app={disabling} onDone={() => setDisabling(null)} />}
    </>
  );
}
