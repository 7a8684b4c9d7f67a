import type { DirectoryMember } from "@portico/protocol";
import { type ReactNode, useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { Copyable } from "../../../shared/ui/copyable.tsx";
import { Pill } from "../../../shared/ui/pill.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { useAddress } from "../../lists/address.ts";
import lists from "../../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import { PERSONS } from "../../persons/words.ts";
import { AccountActions } from "../accounts/account-actions.tsx";
import { OPERATOR } from "../shell/words.ts";
import { MemberDetails } from "./member-details.tsx";
import { MemberDialog } from "./member-dialog.tsx";
import { TENANT_MEMBERS } from "./words.ts";

/** A page of a tenant's members. */
export function MembersTable({
  tenantId,
  members,
  onPage,
  empty,
}: {
  tenantId: string;
  members: Awaited<ReturnType<typeof operatorApi.listMembers>>;
  onPage: (page: number) => void;
  empty: ReactNode;
}) {
  const say = useWords(OPERATOR);
  const sayMembers = useWords(TENANT_MEMBERS);
  const sayPersons = useWords(PERSONS);
  const { params, change } = useAddress();
  const [edited, setEdited] = useState<DirectoryMember | null>(null);
  const columns: ListColumn<DirectoryMember>[] = [
    {
      title: say("personName"),
      key: "name",
      cell: ({ name, username, erased }) => (
        <>
          {erased ? sayMembers("erasedMember") : name}
          {!erased && <span className={lists.second}>{username}</span>}
        </>
      ),
    },
    { title: "userId", key: "userId", kind: "wide", cell: ({ userId }) => <Copyable text={userId} /> },
    { title: say("phone"), key: "phone", kind: "wide", cell: ({ phone }) => phone ?? "–" },
    {
      title: say("state"),
      key: "state",
      cell: ({ disabled, erased }) => {
        if (erased) return <Pill>{sayPersons("erased")}</Pill>;
        return <Pill tone={disabled ? "bad" : "neutral"}>{say(disabled ? "disabled" : "active")}</Pill>;
      },
    },
  ];
  return (
    <>
      <ListTable<DirectoryMember>
        label={say("members")}
        columns={columns}
        rows={members.items}
        idOf={({ userId }) => userId}
        actions={(member) =>
          !member.erased && (
            <AccountActions
              account={member}
              change={(body) => operatorApi.updateMember({ params: { userId: member.userId }, body }, { tenantId })}
              onEdit={() => setEdited(member)}
            />
          )
        }
        opening={{
          openId: params.get("open") ?? undefined,
          onOpen: (open) => change({ open }),
          detail: (member) => <MemberDetails tenantId={tenantId} member={member} />,
        }}
        paging={{ page: members.page, total: members.total, onPage }}
        empty={empty}
      />
      {edited !== null && <MemberDialog tenantId={tenantId} member={edited} onDone={() => setEdited(null)} />}
      {members.total > 0 && <p className={lists.second}>{sayMembers("kept")}</p>}
    </>
  );
}
