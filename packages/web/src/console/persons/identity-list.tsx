import type { LinkedIdentity } from "@portico/protocol/schemas";
import { Button } from "antd";
import { useState } from "react";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import styles from "./persons.module.css";
import { PERSONS } from "./words.ts";

/** Who somebody is to the providers with which they sign in; each may be parted from them. */
export function IdentityList({
  identities,
  what,
  unlink,
}: {
  identities: readonly LinkedIdentity[];
  /** What happens when one is parted from them. */
  what: string;
  unlink: {
    isPending: boolean;
    error: unknown;
    mutate: (identity: LinkedIdentity, options: { onSuccess: () => void }) => void;
    reset: () => void;
  };
}) {
  const say = useWords(PERSONS);
  const [asked, setAsked] = useState<LinkedIdentity | null>(null);
  const columns: ListColumn<LinkedIdentity>[] = [
    { title: say("issuer"), key: "issuer", cell: ({ issuer }) => issuer },
    { title: say("subject"), key: "subject", cell: ({ subject }) => <code>{subject}</code> },
    { title: say("linkedAt"), key: "linkedAt", kind: "wide", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ];
  const onDone = () => {
    setAsked(null);
    unlink.reset();
  };
  return (
    <>
      <ListTable<LinkedIdentity>
        label={say("identities")}
        columns={columns}
        rows={identities}
        idOf={({ identityId }) => identityId}
        actions={(identity) => (
          <Button size="small" danger onClick={() => setAsked(identity)}>
            {say("unlink")}
          </Button>
        )}
        empty={<p className={styles.quiet}>{say("noIdentities")}</p>}
      />
      {asked !== null && (
        <ConfirmDialog
          title={say("unlinkTitle", { issuer: hostOf(asked.issuer) })}
          action={say("unlink")}
          isDangerous
          isPending={unlink.isPending}
          error={unlink.error}
          onConfirm={() => unlink.mutate(asked, { onSuccess: onDone })}
          onCancel={onDone}
        >
          <p>{what}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** What of a provider's address people know. */
function hostOf(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}
