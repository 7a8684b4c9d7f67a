import type { Group } from "@portico/protocol";
import { Button } from "antd";
import { type ReactNode, useState } from "react";
import type { operatorApi } from "../../../shared/session/console.ts";
import { Copyable } from "../../../shared/ui/copyable.tsx";
import { useFormat } from "../../../shared/words/format.ts";
import { useWords } from "../../../shared/words/words.ts";
import { useAddress } from "../../lists/address.ts";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import { OPERATOR } from "../shell/words.ts";
import { GroupDialog } from "./group-dialog.tsx";
import { GroupMembers } from "./group-members.tsx";
import { GROUPS } from "./words.ts";

/** A page of a tenant's groups; a row opens to its members. */
export function GroupsTable({
  tenantId,
  groups,
  onPage,
  empty,
}: {
  tenantId: string;
  groups: Awaited<ReturnType<typeof operatorApi.listGroups>>;
  onPage: (page: number) => void;
  empty: ReactNode;
}) {
  const say = useWords(GROUPS);
  const sayOperator = useWords(OPERATOR);
  const format = useFormat();
  const { params, change } = useAddress();
  const [renamed, setRenamed] = useState<Group | null>(null);
  const columns: ListColumn<Group>[] = [
    { title: sayOperator("name"), key: "name", cell: ({ name }) => name },
    { title: "groupId", key: "groupId", kind: "wide", cell: ({ groupId }) => <Copyable text={groupId} /> },
    {
      title: sayOperator("members"),
      key: "members",
      kind: "number",
      cell: ({ memberCount }) => format.number(memberCount),
    },
  ];
  return (
    <>
      <ListTable<Group>
        label={sayOperator("groups")}
        columns={columns}
        rows={groups.items}
        idOf={({ groupId }) => groupId}
        actions={(group) => (
          <Button size="small" onClick={() => setRenamed(group)}>
            {say("rename")}
          </Button>
        )}
        opening={{
          openId: params.get("open") ?? undefined,
          onOpen: (open) => change({ open }),
          detail: ({ groupId }) => <GroupMembers tenantId={tenantId} groupId={groupId} />,
        }}
        paging={{ page: groups.page, total: groups.total, onPage }}
        empty={empty}
      />
      {renamed !== null && <GroupDialog tenantId={tenantId} group={renamed} onDone={() => setRenamed(null)} />}
    </>
  );
}
