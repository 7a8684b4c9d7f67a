import { Button } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { DirectoryPage } from "../directory/directory-page.tsx";
import { InTenant } from "../tenant/in-tenant.tsx";
import { GroupDialog } from "./group-dialog.tsx";
import { GroupsTable } from "./groups-table.tsx";
import { GROUPS } from "./words.ts";

/** The groups of a tenant, and who is in them. */
export function GroupsPage() {
  return <InTenant>{(tenantId) => <Groups key={tenantId} tenantId={tenantId} />}</InTenant>;
}

function Groups({ tenantId }: { tenantId: string }) {
  const say = useWords(GROUPS);
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <DirectoryPage
        name="groups"
        lead={say("lead")}
        searchLabel={say("search")}
        tenantId={tenantId}
        list={(query, signal) => operatorApi.listGroups({ query }, { signal, tenantId })}
        none={{ title: say("none"), hint: say("noneHint") }}
        actions={
          <Button type="primary" onClick={() => setCreating(true)}>
            {say("newGroup")}
          </Button>
        }
      >
        {(groups, parts) => <GroupsTable tenantId={tenantId} groups={groups} {...parts} />}
      </DirectoryPage>
      {isCreating && <GroupDialog tenantId={tenantId} onDone={() => setCreating(false)} />}
    </>
  );
}
