import { Button } from "antd";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { operatorApi } from "../../../shared/session/console.ts";
import { Copyable } from "../../../shared/ui/copyable.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { useAddress } from "../../lists/address.ts";
import lists from "../../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import { OPERATOR } from "../shell/words.ts";
import { ScimTokens } from "./scim-tokens.tsx";
import { TenantDialog } from "./tenant-dialog.tsx";
import { TENANTS } from "./words.ts";

type TenantPage = Awaited<ReturnType<typeof operatorApi.listTenants>>;
type ListedTenant = TenantPage["items"][number];

/** A page of tenants, each with the way to its members and groups. */
export function TenantsTable({
  tenants,
  onPage,
  empty,
}: {
  tenants: TenantPage;
  onPage: (page: number) => void;
  empty: ReactNode;
}) {
  const say = useWords(OPERATOR);
  const sayTenants = useWords(TENANTS);
  const { params, change } = useAddress();
  const [renamed, setRenamed] = useState<ListedTenant | null>(null);
  const columns: ListColumn<ListedTenant>[] = [
    {
      title: say("name"),
      key: "name",
      cell: ({ tenantId, name }) => (
        <>
          {name}
          <code className={lists.narrow}>{tenantId}</code>
        </>
      ),
    },
    { title: "tenantId", key: "tenantId", kind: "wide", cell: ({ tenantId }) => <Copyable text={tenantId} /> },
    {
      title: sayTenants("people"),
      key: "people",
      cell: ({ tenantId }) => (
        <span className={lists.choices}>
          <Link to={`/operator/members?tenant=${encodeURIComponent(tenantId)}`}>{say("members")}</Link>
          <Link to={`/operator/groups?tenant=${encodeURIComponent(tenantId)}`}>{say("groups")}</Link>
        </span>
      ),
    },
  ];
  return (
    <>
      <ListTable<ListedTenant>
        label={say("tenants")}
        columns={columns}
        rows={tenants.items}
        idOf={({ tenantId }) => tenantId}
        actions={(tenant) => (
          <Button size="small" onClick={() => setRenamed(tenant)}>
            {sayTenants("rename")}
          </Button>
        )}
        opening={{
          openId: params.get("open") ?? undefined,
          onOpen: (open) => change({ open }),
          detail: ({ tenantId }) => <ScimTokens tenantId={tenantId} />,
        }}
        paging={{ page: tenants.page, total: tenants.total, onPage }}
        empty={empty}
      />
      {renamed !== null && <TenantDialog tenant={renamed} onDone={() => setRenamed(null)} />}
    </>
  );
}
