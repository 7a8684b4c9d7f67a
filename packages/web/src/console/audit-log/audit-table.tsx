import type { AuditEntry } from "@portico/protocol";
import { type ReactNode, useState } from "react";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { APP } from "../app/words.ts";
import lists from "../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { ACTION_WORDS, isKnownAction } from "./actions.ts";
import styles from "./audit-table.module.css";
import { AUDIT } from "./words.ts";

/** Entries of the audit log; a row opens to what changed. */
export function AuditTable({ entries, empty }: { entries: AuditEntry[]; empty: ReactNode }) {
  const say = useWords(AUDIT);
  const sayApp = useWords(APP);
  const [openId, setOpenId] = useState<string>();
  const columns: ListColumn<AuditEntry>[] = [
    { key: "at", title: say("at"), cell: ({ at }) => <When at={at} /> },
    { key: "who", title: say("who"), kind: "wide", cell: ({ actor }) => <Actor actor={actor} /> },
    {
      key: "action",
      title: say("action"),
      kind: "main",
      cell: ({ action, actor }) => (
        <>
          <Action action={action} />
          <div className={lists.narrow}>
            <Actor actor={actor} />
          </div>
        </>
      ),
    },
    { key: "target", title: say("target"), kind: "wide", cell: ({ target }) => <code>{target}</code> },
    {
      key: "address",
      title: say("address"),
      kind: "wide",
      cell: ({ address }) => (address === null ? "–" : <code>{address}</code>),
    },
  ];
  return (
    <ListTable<AuditEntry>
      label={sayApp("auditLog")}
      columns={columns}
      rows={entries}
      idOf={({ auditId }) => String(auditId)}
      opening={{ openId, onOpen: setOpenId, detail: (entry) => <Change entry={entry} /> }}
      empty={empty}
    />
  );
}

function When({ at }: { at: number }) {
  return (
    <span className={styles.whole}>
      <TimeAgo at={at} />
    </span>
  );
}

/** In words where there are some, and by its own name. */
function Action({ action }: { action: string }) {
  const say = useWords(AUDIT);
  return (
    <div className={styles.action}>
      {isKnownAction(action) && <span>{say(ACTION_WORDS[action])}</span>}
      <code>{action}</code>
    </div>
  );
}

function Actor({ actor: { type, id, name } }: { actor: AuditEntry["actor"] }) {
  const say = useWords(AUDIT);
  return (
    <span className={styles.who} title={id}>
      {type === "SYSTEM" ? say(systemOf(id)) : (name ?? id)}
    </span>
  );
}

/** What acts for nobody in particular: a provider's or a directory's word, or a file. */
function systemOf(id: string) {
  const [kind] = id.split(":");
  return kind === "oidc" || kind === "scim" ? kind : "system";
}

function Change({ entry: { before, after } }: { entry: AuditEntry }) {
  const say = useWords(AUDIT);
  return (
    <div className={styles.change}>
      <figure>
        <figcaption>{say("before")}</figcaption>
        <pre>{written(before)}</pre>
      </figure>
      <figure>
        <figcaption>{say("after")}</figcaption>
        <pre>{written(after)}</pre>
      </figure>
    </div>
  );
}

function written(value: unknown): string {
  return value === null ? "–" : JSON.stringify(value, null, 2);
}
