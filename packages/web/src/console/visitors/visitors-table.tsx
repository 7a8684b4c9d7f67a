import { Button } from "antd";
import { type ReactNode, useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Pill } from "../../shared/ui/pill.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { APP } from "../app/words.ts";
import { useAddress } from "../lists/address.ts";
import lists from "../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { PERSONS } from "../persons/words.ts";
import { DisableVisitorDialog } from "./disable-visitor-dialog.tsx";
import { isErased, VisitorDetails } from "./visitor-details.tsx";
import { VISITORS } from "./words.ts";

type VisitorPage = Awaited<ReturnType<typeof consoleApi.listVisitors>>;

type ListedVisitor = VisitorPage["items"][number];

/** A page of visitors. */
export function VisitorsTable({
  visitors,
  onPage,
  empty,
}: {
  visitors: VisitorPage;
  onPage: (page: number) => void;
  empty: ReactNode;
}) {
  const say = useWords(VISITORS);
  const sayApp = useWords(APP);
  const sayPersons = useWords(PERSONS);
  const { params, change } = useAddress();
  const { app, isOwner } = useApp();
  const [disabling, setDisabling] = useState<ListedVisitor | null>(null);
  const enable = useAppChange(app.appId, ({ visitorId }: ListedVisitor) =>
    consoleApi.updateVisitor({ params: { appId: app.appId, visitorId }, body: { status: 1 } }),
  );
  const columns: ListColumn<ListedVisitor>[] = [
    {
      title: say("nickname"),
      key: "nickname",
      cell: ({ nickname, visitorId, thirdUserId }) => (
        <>
          {isErased({ thirdUserId }) ? say("erasedVisitor") : nickname || say("anonymous")}
          <code className={lists.narrow}>{visitorId}</code>
        </>
      ),
    },
    { title: "visitorId", key: "visitorId", kind: "wide", cell: ({ visitorId }) => <Copyable text={visitorId} /> },
    { title: "thirdUserId", key: "thirdUserId", kind: "wide", cell: ({ thirdUserId }) => <code>{thirdUserId}</code> },
    {
      title: say("contact"),
      key: "contact",
      kind: "wide",
      cell: ({ phone, email }) => [phone, email].filter((each) => each !== "").join(", ") || "–",
    },
    {
      title: say("seen"),
      key: "seen",
      kind: "wide",
      cell: ({ online, lastSeenAt }) => {
        if (online) return <Pill tone="good">{say("online")}</Pill>;
        return lastSeenAt === null ? say("never") : <TimeAgo at={lastSeenAt} />;
      },
    },
    {
      title: say("state"),
      key: "state",
      cell: ({ status, thirdUserId }) => {
        if (isErased({ thirdUserId })) return <Pill>{sayPersons("erased")}</Pill>;
        return <Pill tone={status === 1 ? "neutral" : "bad"}>{say(status === 1 ? "enabled" : "disabled")}</Pill>;
      },
    },
  ];
  const actions = (visitor: ListedVisitor) => {
    if (isErased(visitor)) return null;
    return visitor.status === 1 ? (
      <Button size="small" danger onClick={() => setDisabling(visitor)}>
        {say("disable")}
      </Button>
    ) : (
      <Button
        size="small"
        loading={enable.isPending && enable.variables === visitor}
        onClick={() => enable.mutate(visitor)}
      >
        {say("enable")}
      </Button>
    );
  };
  return (
    <>
      {enable.isError && <ErrorNotice error={enable.error} />}
      <ListTable<ListedVisitor>
        label={sayApp("visitors")}
        columns={columns}
        actions={isOwner ? actions : undefined}
        opening={
          isOwner
            ? {
                openId: params.get("open") ?? undefined,
                onOpen: (open) => change({ open }),
                detail: (visitor) => <VisitorDetails visitor={visitor} />,
              }
            : undefined
        }
        rows={visitors.items}
        idOf={({ visitorId }) => visitorId}
        paging={{ page: visitors.page, total: visitors.total, onPage }}
        empty={empty}
      />
      {disabling !== null && <DisableVisitorDialog visitor={disabling} onDone={() => setDisabling(null)} />}
    </>
  );
}
