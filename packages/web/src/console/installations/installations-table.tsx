import type { Installation } from "@portico/protocol";
import { Button } from "antd";
import { useState } from "react";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Pill } from "../../shared/ui/pill.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { APP } from "../app/words.ts";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { UninstallDialog } from "./uninstall-dialog.tsx";
import { INSTALLATION_STATE_WORDS, INSTALLATIONS, TARGET_TYPE_WORDS } from "./words.ts";

/** A page of where a bot is or was installed. */
export function InstallationsTable({
  installations,
  isNarrowed,
  onPage,
}: {
  installations: { items: Installation[]; total: number; page: number };
  isNarrowed: boolean;
  onPage: (page: number) => void;
}) {
  const say = useWords(INSTALLATIONS);
  const sayApp = useWords(APP);
  const { isOwner } = useApp();
  const [leaving, setLeaving] = useState<Installation | null>(null);
  const columns: ListColumn<Installation>[] = [
    { title: say("name"), key: "name", cell: ({ name }) => name },
    {
      title: say("targetType"),
      key: "type",
      kind: "wide",
      cell: ({ targetType }) => say(TARGET_TYPE_WORDS[targetType]),
    },
    { title: "receiveId", key: "id", kind: "wide", cell: ({ targetId }) => <Copyable text={targetId} /> },
    {
      title: say("state"),
      key: "state",
      cell: ({ status }) => (
        <Pill tone={status === "ACTIVE" ? "good" : "neutral"}>{say(INSTALLATION_STATE_WORDS[status])}</Pill>
      ),
    },
    { title: say("installedAt"), key: "at", kind: "wide", cell: ({ installedAt }) => <TimeAgo at={installedAt} /> },
  ];
  const actions = (installation: Installation) =>
    installation.status === "ACTIVE" && (
      <Button size="small" danger onClick={() => setLeaving(installation)}>
        {say("uninstall")}
      </Button>
    );
  return (
    <>
      <ListTable<Installation>
        label={sayApp("installations")}
        columns={columns}
        actions={isOwner ? actions : undefined}
        rows={installations.items}
        idOf={({ targetType, targetId }) => `${targetType} ${targetId}`}
        paging={{ page: installations.page, total: installations.total, onPage }}
        empty={
          <EmptyState
            title={say(isNarrowed ? "noneFound" : "none")}
            hint={say(isNarrowed ? "noneFoundHint" : "noneHint")}
          />
        }
      />
      {leaving !== null && <UninstallDialog installation={leaving} onDone={() => setLeaving(null)} />}
    </>
  );
}
