import { consoleApi } from "../../shared/session/console.ts";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { appKey } from "../app/app-queries.ts";
import { APP } from "../app/words.ts";
import { oneOf, useAddress } from "../lists/address.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import { FilterSelect } from "../lists/filter-select.tsx";
import { ACTION_WORDS, APP_ACTIONS } from "./actions.ts";
import { AuditEntries, useAuditPages } from "./audit-entries.tsx";
import { AUDIT } from "./words.ts";

/** What people have changed of an application, newest first. */
export function AuditLogPage() {
  const say = useWords(AUDIT);
  const sayApp = useWords(APP);
  const { params, narrow } = useAddress();
  const action = oneOf(params.get("action"), APP_ACTIONS);
  const { appId } = useApp().app;
  const log = useAuditPages([...appKey(appId), "audit", action], ({ signal, ...place }) =>
    consoleApi.listAudit({ params: { appId }, query: { action, ...place } }, { signal }),
  );
  return (
    <Page title={sayApp("auditLog")} lead={say("lead")}>
      <FilterBar>
        <FilterSelect
          label={say("action")}
          all={say("allActions")}
          value={action}
          options={APP_ACTIONS.map((each) => ({ value: each, label: say(ACTION_WORDS[each]) }))}
          onChange={(chosen) => narrow({ action: chosen })}
        />
      </FilterBar>
      <AuditEntries log={log} />
    </Page>
  );
}
