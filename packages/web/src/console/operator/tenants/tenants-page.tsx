import { Button } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { DirectoryPage } from "../directory/directory-page.tsx";
import { TenantDialog } from "./tenant-dialog.tsx";
import { TenantsTable } from "./tenants-table.tsx";
import { TENANTS } from "./words.ts";

/** The enterprises that the platform serves. */
export function TenantsPage() {
  const say = useWords(TENANTS);
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <DirectoryPage
        name="tenants"
        lead={say("lead")}
        searchLabel={say("search")}
        list={(query, signal) => operatorApi.listTenants({ query }, { signal })}
        none={{ title: say("none"), hint: say("noneHint") }}
        actions={
          <Button type="primary" onClick={() => setCreating(true)}>
            {say("newTenant")}
          </Button>
        }
      >
        {(tenants, parts) => <TenantsTable tenants={tenants} {...parts} />}
      </DirectoryPage>
      {isCreating && <TenantDialog onDone={() => setCreating(false)} />}
    </>
  );
}
