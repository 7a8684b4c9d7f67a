import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { lazy, Suspense, useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { EmptyState } from "../../../shared/ui/empty-state.tsx";
import { Page } from "../../../shared/ui/page.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { pageIn, useAddress } from "../../lists/address.ts";
import { FilterBar } from "../../lists/filter-bar.tsx";
import { PAGE_SIZE } from "../../lists/paging-bar.tsx";
import { SearchBox } from "../../lists/search-box.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { OPERATOR_KEY } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { InTenant } from "../tenant/in-tenant.tsx";
import { TenantSelect } from "../tenant/tenant-select.tsx";
import { MemberDialog } from "./member-dialog.tsx";
import { MembersTable } from "./members-table.tsx";
import { TENANT_MEMBERS } from "./words.ts";

const ImportDialog = lazy(async () => ({ default: (await import("./import/import-dialog.tsx")).ImportDialog }));

/** The members of a tenant. */
export function MembersPage() {
  return <InTenant>{(tenantId) => <Members key={tenantId} tenantId={tenantId} />}</InTenant>;
}

function Members({ tenantId }: { tenantId: string }) {
  const say = useWords(TENANT_MEMBERS);
  const sayOperator = useWords(OPERATOR);
  const [asking, setAsking] = useState<"new" | "import" | null>(null);
  const { params, change, narrow } = useAddress();
  const keyword = params.get("search") || undefined;
  const filter = { keyword, page: pageIn(params), pageSize: PAGE_SIZE };
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "members", tenantId, filter],
    queryFn: ({ signal }) => operatorApi.listMembers({ query: filter }, { signal, tenantId }),
    placeholderData: keepPreviousData,
  });
  const empty = keyword ? (
    <EmptyState title={sayOperator("noneFound")} hint={sayOperator("noneFoundHint")} />
  ) : (
    <EmptyState title={say("none")} hint={say("noneHint")} />
  );
  const onDone = () => setAsking(null);
  return (
    <Page
      title={sayOperator("members")}
      lead={say("lead")}
      actions={
        <>
          <Button onClick={() => setAsking("import")}>{say("import")}</Button>
          <Button type="primary" onClick={() => setAsking("new")}>
            {say("newMember")}
          </Button>
        </>
      }
    >
      <FilterBar>
        <TenantSelect value={tenantId} onChange={(tenant) => narrow({ tenant, search: undefined })} />
        <SearchBox label={say("search")} value={keyword ?? ""} onSearch={(search) => narrow({ search })} />
      </FilterBar>
      <QueryView query={query}>
        {(members) => (
          <MembersTable tenantId={tenantId} members={members} onPage={(page) => change({ page })} empty={empty} />
        )}
      </QueryView>
      {asking === "new" && <MemberDialog tenantId={tenantId} onDone={onDone} />}
      {asking === "import" && (
        <Suspense>
          <ImportDialog tenantId={tenantId} onDone={onDone} />
        </Suspense>
      )}
    </Page>
  );
}
