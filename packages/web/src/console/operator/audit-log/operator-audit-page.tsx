import { Button, Select } from "antd";
import { lazy, Suspense, useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { Page } from "../../../shared/ui/page.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { ACTION_WORDS, ALL_ACTIONS } from "../../audit-log/actions.ts";
import { AuditEntries, useAuditPages } from "../../audit-log/audit-entries.tsx";
import { AUDIT } from "../../audit-log/words.ts";
import { oneOf, useAddress } from "../../lists/address.ts";
import { FilterBar } from "../../lists/filter-bar.tsx";
import { SearchBox } from "../../lists/search-box.tsx";
import { boundsOf, rangeOf } from "../../lists/time-range.ts";
import { TimeRangeFilter } from "../../lists/time-range-filter.tsx";
import { OPERATOR_KEY } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { TenantSelect } from "../tenant/tenant-select.tsx";
import type { AuditFilter } from "./export-audit.ts";
import { OPERATOR_AUDIT } from "./words.ts";

const ExportAuditDialog = lazy(async () => ({
  default: (await import("./export-audit-dialog.tsx")).ExportAuditDialog,
}));

/** What people have changed on the whole platform, newest first. */
export function OperatorAuditPage() {
  const say = useWords(OPERATOR_AUDIT);
  const sayAudit = useWords(AUDIT);
  const sayOperator = useWords(OPERATOR);
  const { params, narrow } = useAddress();
  const [exported, setExported] = useState<AuditFilter | null>(null);
  const range = rangeOf(params);
  const filter = {
    action: oneOf(params.get("action"), ALL_ACTIONS),
    actorId: params.get("actor") || undefined,
    target: params.get("target") || undefined,
    tenantId: params.get("tenant") || undefined,
  };
  const log = useAuditPages([OPERATOR_KEY, "audit", filter, range], ({ signal, ...place }) =>
    operatorApi.listAudit({ query: { ...filter, ...boundsOf(range, Date.now()), ...place } }, { signal }),
  );
  return (
    <Page
      title={sayOperator("auditLog")}
      lead={sayAudit("lead")}
      actions={
        <Button onClick={() => setExported({ ...filter, ...boundsOf(range, Date.now()) })}>{say("export")}</Button>
      }
    >
      <FilterBar>
        <Select<string>
          aria-label={sayAudit("action")}
          placeholder={sayAudit("allActions")}
          showSearch={{ optionFilterProp: "label" }}
          allowClear
          value={filter.action ?? null}
          onChange={(action?: string) => narrow({ action })}
          options={ALL_ACTIONS.map((each) => ({ value: each, label: `${sayAudit(ACTION_WORDS[each])} ${each}` }))}
          popupMatchSelectWidth={false}
          style={{ minWidth: 180 }}
        />
        <TenantSelect value={filter.tenantId} all={say("allTenants")} onChange={(tenant) => narrow({ tenant })} />
        <TimeRangeFilter range={range} onChange={narrow} />
        <SearchBox label={say("actor")} value={filter.actorId ?? ""} onSearch={(actor) => narrow({ actor })} />
        <SearchBox label={say("target")} value={filter.target ?? ""} onSearch={(target) => narrow({ target })} />
      </FilterBar>
      <AuditEntries log={log} />
      {exported !== null && (
        <Suspense>
          <ExportAuditDialog filter={exported} onDone={() => setExported(null)} />
        </Suspense>
      )}
    </Page>
  );
}
