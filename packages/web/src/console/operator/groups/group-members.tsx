import type { DirectoryMember } from "@portico/protocol";
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { EmptyState } from "../../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../../shared/ui/error-notice.tsx";
import { Pill } from "../../../shared/ui/pill.tsx";
import { useWords } from "../../../shared/words/words.ts";
import lists from "../../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import { PAGE_SIZE } from "../../lists/paging-bar.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { OPERATOR_KEY, useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { AddToGroup } from "./add-to-group.tsx";
import styles from "./group-members.module.css";
import { GROUPS } from "./words.ts";

/** Who is in a group; people are added and taken out. */
export function GroupMembers({ tenantId, groupId }: { tenantId: string; groupId: string }) {
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "group", tenantId, groupId],
    queryFn: ({ signal }) => operatorApi.getGroup({ params: { groupId } }, { signal, tenantId }),
  });
  return (
    <div className={styles.members}>
      <AddToGroup tenantId={tenantId} groupId={groupId} />
      <QueryView query={query}>
        {({ members }) => <MemberList tenantId={tenantId} groupId={groupId} members={members} />}
      </QueryView>
    </div>
  );
}

/** The service tells of all members at once, of which a page is shown at a time. */
function MemberList({
  tenantId,
  groupId,
  members,
}: {
  tenantId: string;
  groupId: string;
  members: readonly DirectoryMember[];
}) {
  const say = useWords(GROUPS);
  const sayOperator = useWords(OPERATOR);
  const [chosen, setChosen] = useState(1);
  const page = Math.min(chosen, Math.max(Math.ceil(members.length / PAGE_SIZE), 1));
  const remove = useOperatorChange(({ userId }: DirectoryMember) =>
    operatorApi.removeGroupMember({ params: { groupId, userId } }, { tenantId }),
  );
  const columns: ListColumn<DirectoryMember>[] = [
    {
      title: sayOperator("personName"),
      key: "name",
      cell: ({ name, username, disabled }) => (
        <>
          {name} {disabled && <Pill tone="bad">{sayOperator("disabled")}</Pill>}
          <span className={lists.second}>{username}</span>
        </>
      ),
    },
  ];
  return (
    <>
      {remove.isError && <ErrorNotice error={remove.error} />}
      <ListTable<DirectoryMember>
        label={sayOperator("members")}
        columns={columns}
        rows={members.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        idOf={({ userId }) => userId}
        actions={(member) => (
          <Button
            size="small"
            aria-label={say("removeNamed", { name: member.name })}
            loading={remove.isPending && remove.variables === member}
            onClick={() => remove.mutate(member)}
          >
            {say("remove")}
          </Button>
        )}
        paging={{ page, total: members.length, onPage: setChosen }}
        empty={<EmptyState title={say("nobody")} hint={say("nobodyHint")} />}
      />
    </>
  );
}
