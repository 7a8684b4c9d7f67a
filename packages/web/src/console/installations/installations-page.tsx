import { INSTALLATION_STATES, TARGET_TYPES } from "@portico/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { Page, Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { appKey } from "../app/app-queries.ts";
import { APP } from "../app/words.ts";
import { oneOf, pageIn, useAddress } from "../lists/address.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import { FilterSelect } from "../lists/filter-select.tsx";
import { PAGE_SIZE } from "../lists/paging-bar.tsx";
import { AddMemberForm } from "../members/add-member-form.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { InstallationsTable } from "./installations-table.tsx";
import { INSTALLATION_STATE_WORDS, INSTALLATIONS, TARGET_TYPE_WORDS } from "./words.ts";

/** Where a bot is installed, and installing it for a member. */
export function InstallationsPage() {
  const say = useWords(INSTALLATIONS);
  const sayApp = useWords(APP);
  const { app } = useApp();
  return (
    <Page title={sayApp("installations")} lead={say("lead")}>
      {app.type === "BOT" ? <BotInstallations /> : <EmptyState title={say("notBot")} hint={say("notBotHint")} />}
    </Page>
  );
}

function BotInstallations() {
  const say = useWords(INSTALLATIONS);
  const { appId, tenantId, status } = useApp().app;
  const isActive = status === "ACTIVE";
  return (
    <>
      <InstallationList />
      <Section title={say("installTitle")} lead={say("installLead")}>
        {!isActive && <Notice tone="info" title={say("notActive")} />}
        <AddMemberForm
          action={say("install")}
          isDisabled={!isActive}
          add={(username) => consoleApi.installForMember({ params: { appId }, body: { username } }, { tenantId })}
        />
      </Section>
    </>
  );
}

function InstallationList() {
  const say = useWords(INSTALLATIONS);
  const { appId, tenantId } = useApp().app;
  const { params, change, narrow } = useAddress();
  const targetType = oneOf(params.get("type"), TARGET_TYPES);
  const status = oneOf(params.get("status"), INSTALLATION_STATES);
  const filter = { targetType, status, page: pageIn(params), pageSize: PAGE_SIZE };
  const query = useQuery({
    queryKey: [...appKey(appId), "installations", filter],
    queryFn: ({ signal }) => consoleApi.listInstallations({ params: { appId }, query: filter }, { signal, tenantId }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <FilterBar>
        <FilterSelect
          label={say("targetType")}
          all={say("allTypes")}
          value={targetType}
          options={TARGET_TYPES.map((each) => ({ value: each, label: say(TARGET_TYPE_WORDS[each]) }))}
          onChange={(chosen) => narrow({ type: chosen })}
        />
        <FilterSelect
          label={say("state")}
          all={say("allStates")}
          value={status}
          options={INSTALLATION_STATES.map((each) => ({ value: each, label: say(INSTALLATION_STATE_WORDS[each]) }))}
          onChange={(chosen) => narrow({ status: chosen })}
        />
      </FilterBar>
      <QueryView query={query}>
        {(installations) => (
          <InstallationsTable
            installations={installations}
            isNarrowed={targetType !== undefined || status !== undefined}
            onPage={(chosen) => change({ page: chosen })}
          />
        )}
      </QueryView>
    </>
  );
}
