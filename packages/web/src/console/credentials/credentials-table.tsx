import type { CredentialList } from "@portico/protocol";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Pill, type Tone } from "../../shared/ui/pill.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { APP } from "../app/words.ts";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { GraceLeft } from "./grace-left.tsx";
import { CREDENTIALS } from "./words.ts";

type Credential = CredentialList[number];

const STATES = {
  CURRENT: { word: "current", tone: "good" },
  GRACE: { word: "grace", tone: "warn" },
  EXPIRED: { word: "expired", tone: "neutral" },
} as const satisfies Record<Credential["status"], { word: string; tone: Tone }>;

/** An application's credentials, each by the last four characters of its id. */
export function CredentialsTable({ credentials }: { credentials: CredentialList }) {
  const say = useWords(CREDENTIALS);
  const sayApp = useWords(APP);
  const columns: ListColumn<Credential>[] = [
    { title: "credentialId", key: "id", cell: ({ credential }) => <code>cred_…{credential}</code> },
    {
      title: say("state"),
      key: "state",
      cell: ({ status, expiresAt }) => (
        <>
          <Pill tone={STATES[status].tone}>{say(STATES[status].word)}</Pill>{" "}
          {status === "GRACE" && expiresAt !== null && <GraceLeft until={expiresAt} />}
        </>
      ),
    },
    { title: say("created"), key: "created", kind: "wide", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
    {
      title: say("lastUsed"),
      key: "lastUsed",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? say("never") : <TimeAgo at={lastUsedAt} />),
    },
    {
      title: say("ends"),
      key: "ends",
      kind: "wide",
      cell: ({ expiresAt }) => (expiresAt === null ? "–" : <TimeAgo at={expiresAt} />),
    },
  ];
  return (
    <ListTable<Credential>
      label={sayApp("credentials")}
      columns={columns}
      rows={credentials}
      idOf={({ credential, createdAt }) => `${credential} ${createdAt}`}
      empty={<EmptyState title={say("none")} hint={say("noneHint")} />}
    />
  );
}
