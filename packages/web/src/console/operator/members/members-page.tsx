import { Button } from "antd";
import { lazy, Suspense, useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { DirectoryPage } from "../directory/directory-page.tsx";
import { InTenant } from "../tenant/in-tenant.tsx";
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
  const [asking, setAsking] = useState<"new" | "import" | null>(null);
  const onDone = () => setAsking(null);
  return (
    <>
      <DirectoryPage
        name="members"
        lead={say("lead")}
        searchLabel={say("search")}
        tenantId={tenantId}
        list={(query, signal) => operatorApi.listMembers({ query }, { signal, tenantId })}
        none={{ title: say("none"), hint: say("noneHint") }}
        actions={
          <>
            <Button onClick={() => setAsking("import")}>{say("import")}</Button>
            <Button type="primary" onClick={() => setAsking("new")}>
              {say("newMember")}
            </Button>
          </>
        }
      >
        {(members, parts) => <MembersTable tenantId={tenantId} members={members} {...parts} />}
      </DirectoryPage>
      {asking === "new" && <MemberDialog tenantId={tenantId} onDone={onDone} />}
      {asking === "import" && (
        <Suspense>
          <ImportDialog tenantId={tenantId} onDone={onDone} />
        </Suspense>
      )}
    </>
  );
}
