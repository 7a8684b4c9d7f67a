import type { DirectoryMember } from "@portico/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useWords } from "../../../shared/words/words.ts";
import { EraseDialog } from "../../persons/erase-dialog.tsx";
import { ExportDataDialog } from "../../persons/export-data-dialog.tsx";
import { IdentityList } from "../../persons/identity-list.tsx";
import { PersonalData } from "../../persons/personal-data.tsx";
import persons from "../../persons/persons.module.css";
import { PERSONS } from "../../persons/words.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { OPERATOR_KEY, useOperatorChange } from "../operator-queries.ts";
import styles from "./member-details.module.css";
import { MemberErasureView, useMemberErasure } from "./member-erasure-view.tsx";
import { TENANT_MEMBERS } from "./words.ts";

interface MemberOfTenant {
  tenantId: string;
  member: DirectoryMember;
}

/** What is rarely done with a member: who they are to the provider, and all that is stored about them. */
export function MemberDetails({ tenantId, member }: MemberOfTenant) {
  const say = useWords(TENANT_MEMBERS);
  const { userId } = member;
  const name = member.name || userId;
  if (member.erased) {
    return (
      <div className={styles.details}>
        <MemberErasureView tenantId={tenantId} userId={userId} />
      </div>
    );
  }
  const params = { tenantId, userId };
  return (
    <div className={styles.details}>
      <Identities tenantId={tenantId} member={member} />
      <PersonalData
        lead={say("dataLead")}
        exporting={(onDone) => (
          <ExportDataDialog
            name={name}
            fileName={`member-${userId}`}
            load={(cursor) => operatorApi.exportMember({ params, body: { cursor } })}
            onDone={onDone}
          />
        )}
        erasing={(onDone) => <EraseMember tenantId={tenantId} member={member} onDone={onDone} />}
      />
    </div>
  );
}

/** Erases a member: the dialog stays, and tells how far it is. */
function EraseMember({ tenantId, member: { userId, name }, onDone }: MemberOfTenant & { onDone: () => void }) {
  const say = useWords(TENANT_MEMBERS);
  const client = useQueryClient();
  const [hasBegun, setBegun] = useState(false);
  const { data } = useMemberErasure(tenantId, userId, hasBegun);
  return (
    <EraseDialog
      name={name || userId}
      what={[say("eraseSignIns"), say("eraseMessages"), say("eraseName")]}
      erase={async () => {
        await operatorApi.eraseMember({ params: { tenantId, userId } });
        setBegun(true);
      }}
      report={() => <MemberErasureView tenantId={tenantId} userId={userId} />}
      isRunning={data?.state !== "DONE"}
      onDone={() => {
        onDone();
        // The list shows them as they are now.
        void client.invalidateQueries({ queryKey: [OPERATOR_KEY] });
      }}
    />
  );
}

function Identities({ tenantId, member: { userId } }: MemberOfTenant) {
  const say = useWords(TENANT_MEMBERS);
  const sayPersons = useWords(PERSONS);
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "identities", tenantId, userId],
    queryFn: ({ signal }) => operatorApi.listMemberIdentities({ params: { tenantId, userId } }, { signal }),
  });
  const unlink = useOperatorChange(({ identityId }: { identityId: string }) =>
    operatorApi.unlinkMemberIdentity({ params: { tenantId, userId, identityId } }),
  );
  return (
    <section aria-label={sayPersons("identities")} className={persons.part}>
      <h2>{sayPersons("identities")}</h2>
      <QueryView query={query}>
        {({ items }) => <IdentityList identities={items} what={say("unlinkWhat")} unlink={unlink} />}
      </QueryView>
    </section>
  );
}
