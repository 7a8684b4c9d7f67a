import { useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Page, Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { appKey } from "../app/app-queries.ts";
import { APP } from "../app/words.ts";
import { AddMemberForm } from "../members/add-member-form.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { AgentsTable } from "./agents-table.tsx";
import { AGENTS } from "./words.ts";

/** Who serves an application's visitors. */
export function AgentsPage() {
  const say = useWords(AGENTS);
  const sayApp = useWords(APP);
  const { app } = useApp();
  return (
    <Page title={sayApp("agents")} lead={say("lead")}>
      {app.type === "CUSTOMER_SERVICE" ? <Agents /> : <EmptyState title={say("notService")} />}
    </Page>
  );
}

function Agents() {
  const say = useWords(AGENTS);
  const {
    app: { appId, tenantId },
    isOwner,
  } = useApp();
  const query = useQuery({
    queryKey: [...appKey(appId), "agents"],
    queryFn: ({ signal }) => consoleApi.listAgents({ params: { appId } }, { signal, tenantId }),
  });
  return (
    <>
      <QueryView query={query}>{(agents) => <AgentsTable agents={agents} />}</QueryView>
      {isOwner && (
        <Section title={say("addTitle")} lead={say("addLead")}>
          <AddMemberForm
            action={say("add")}
            add={(username) => consoleApi.addAgent({ params: { appId }, body: { username } }, { tenantId })}
          />
        </Section>
      )}
    </>
  );
}
