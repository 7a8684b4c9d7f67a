import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { operatorApi } from "../../../shared/session/console.ts";
import { EmptyState } from "../../../shared/ui/empty-state.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { useAddress } from "../../lists/address.ts";
import { useMe } from "../../me.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { OPERATOR_KEY } from "../operator-queries.ts";
import { TENANT } from "./words.ts";

/** Shows something of the tenant that the address names; else of one of the operator's own, else of the first there is. */
export function InTenant({ children }: { children: (tenantId: string) => ReactNode }) {
  const say = useWords(TENANT);
  const { params } = useAddress();
  const { data: me } = useMe();
  const first = useQuery({
    queryKey: [OPERATOR_KEY, "tenants", "first"],
    queryFn: ({ signal }) => operatorApi.listTenants({ query: { pageSize: 1 } }, { signal }),
  });
  const known = params.get("tenant") || me?.tenants[0]?.tenantId;
  if (known !== undefined) return children(known);
  const none = (
    <EmptyState
      title={say("noneYet")}
      hint={say("noneYetHint")}
      action={<Link to="/operator/tenants">{say("toTenants")}</Link>}
    />
  );
  return <QueryView query={first}>{({ items: [tenant] }) => (tenant ? children(tenant.tenantId) : none)}</QueryView>;
}
