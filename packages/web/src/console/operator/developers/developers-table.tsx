import type { DirectoryDeveloper } from "@portico/protocol";
import { type ReactNode, useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { Pill } from "../../../shared/ui/pill.tsx";
import { useWords } from "../../../shared/words/words.ts";
import lists from "../../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import { useMe } from "../../me.ts";
import { AccountActions } from "../accounts/account-actions.tsx";
import { OPERATOR } from "../shell/words.ts";
import { DeveloperDialog } from "./developer-dialog.tsx";
import { ResetFactorButton } from "./reset-factor-button.tsx";
import { DEVELOPERS } from "./words.ts";

/** A page of the developers of all tenants. */
export function DevelopersTable({
  developers,
  onPage,
  empty,
}: {
  developers: Awaited<ReturnType<typeof operatorApi.listDevelopers>>;
  onPage: (page: number) => void;
  empty: ReactNode;
}) {
  const say = useWords(DEVELOPERS);
  const sayOperator = useWords(OPERATOR);
  const { data: me } = useMe();
  const [edited, setEdited] = useState<DirectoryDeveloper | null>(null);
  const columns: ListColumn<DirectoryDeveloper>[] = [
    {
      title: sayOperator("personName"),
      key: "name",
      cell: ({ name, phone, operator, secondFactor }) => (
        <>
          {name} {operator && <Pill tone="accent">{say("operator")}</Pill>}{" "}
          {secondFactor && <Pill tone="neutral">{say("secondFactor")}</Pill>}
          <span className={lists.second}>{phone}</span>
        </>
      ),
    },
    { title: say("channel"), key: "channel", kind: "wide", cell: ({ channelId }) => channelId },
    {
      title: sayOperator("tenants"),
      key: "tenants",
      kind: "wide",
      cell: ({ tenants }) => tenants.map(({ name }) => name).join(", ") || "–",
    },
    {
      title: sayOperator("state"),
      key: "state",
      cell: ({ disabled }) => (
        <Pill tone={disabled ? "bad" : "neutral"}>{sayOperator(disabled ? "disabled" : "active")}</Pill>
      ),
    },
  ];
  return (
    <>
      <ListTable<DirectoryDeveloper>
        label={sayOperator("developers")}
        columns={columns}
        rows={developers.items}
        idOf={({ developerId }) => developerId}
        actions={(developer) => (
          <AccountActions
            account={developer}
            isOwn={developer.developerId === me?.developerId}
            change={(body) => operatorApi.updateDeveloper({ params: { developerId: developer.developerId }, body })}
            onEdit={() => setEdited(developer)}
          >
            {developer.secondFactor && developer.developerId !== me?.developerId && (
              <ResetFactorButton developer={developer} />
            )}
          </AccountActions>
        )}
        paging={{ page: developers.page, total: developers.total, onPage }}
        empty={empty}
      />
      {edited !== null && <DeveloperDialog developer={edited} onDone={() => setEdited(null)} />}
    </>
  );
}
