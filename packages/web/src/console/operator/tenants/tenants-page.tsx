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
import { TenantDialog } from "./tenant-dialog.tsx";
import { TenantsTable } from "./tenants-table.tsx";
import { TENANTS } from "./words.ts";

/** The enterprises that the platform serves. */
export function TenantsPage() {
  const say = useWords(TENANTS);
  const sayOperator = useWords(OPERATOR);
  const [isCreating, setCreating] = useState(false);
  const { params, change, narrow } = useAddress();
  const keyword = params.get("search") || undefined;
  const filter = { keyword, page: pageIn(params), pageSize: PAGE_SIZE };
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "tenants", filter],
    queryFn: ({ signal }) => operatorApi.listTenants({ query: filter }, { signal }),
    placeholderData: keepPreviousData,
  });
  const empty = keyword ? (
    <EmptyState title={sayOperator("noneFound")} hint={sayOperator("noneFoundHint")} />
  ) : (
    <EmptyState title={say("none")} hint={say("noneHint")} />
  );
  return (
    <Page
      title={sayOperator("tenants")}
      lead={say("lead")}
      actions={
        <Button type="primary" onClick={() => setCreating(true)}>
          {say("newTenant")}
        </Button>
      }
    >
      <FilterBar>
        <SearchBox label={say("search")} value={keyword ?? ""} onSearch={(search) => narrow({ search })} />
      </FilterBar>
      <QueryView query={query}>
        {(tenants) => <TenantsTable tenants={tenants} onPage={(page) => change({ page })} empty={empty} />}
      </QueryView>
      {isCreating && <TenantDialog onDone={() => setCreating(false)} />}
    </Page>
  );
}
