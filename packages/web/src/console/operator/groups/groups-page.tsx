import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
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
import { GroupDialog } from "./group-dialog.tsx";
import { GroupsTable } from "./groups-table.tsx";
import { GROUPS } from "./words.ts";

/** The groups of a tenant, and who is in them. */
export function GroupsPage() {
  return <InTenant>{(tenantId) => <Groups key={tenantId} tenantId={tenantId} />}</InTenant>;
}

function Groups({ tenantId }: { tenantId: string }) {
  const say = useWords(GROUPS);
  const sayOperator = useWords(OPERATOR);
  const [isCreating, setCreating] = useState(false);
  const { params, change, narrow } = useAddress();
  const keyword = params.get("search") || undefined;
  const filter = { keyword, page: pageIn(params), pageSize: PAGE_SIZE };
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "groups", tenantId, filter],
    queryFn: ({ signal }) => operatorApi.listGroups({ query: filter }, { signal, tenantId }),
    placeholderData: keepPreviousData,
  });
  const empty = keyword ? (
    <EmptyState title={sayOperator("noneFound")} hint={sayOperator("noneFoundHint")} />
  ) : (
    <EmptyState title={say("none")} hint={say("noneHint")} />
  );
  return (
    <Page
      title={sayOperator("groups")}
      lead={say("lead")}
      actions={
        <Button type="primary" onClick={() => setCreating(true)}>
          {say("newGroup")}
        </Button>
      }
    >
      <FilterBar>
        <TenantSelect value={tenantId} onChange={(tenant) => narrow({ tenant, search: undefined })} />
        <SearchBox label={say("search")} value={keyword ?? ""} onSearch={(search) => narrow({ search })} />
      </FilterBar>
      <QueryView query={query}>
        {(groups) => (
          <GroupsTable tenantId={tenantId} groups={groups} onPage={(page) => change({ page })} empty={empty} />
        )}
      </QueryView>
      {isCreating && <GroupDialog tenantId={tenantId} onDone={() => setCreating(false)} />}
    </Page>
  );
}
