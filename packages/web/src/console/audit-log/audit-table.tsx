import type { AuditEntry } from "@portico/protocol";
import type { TableProps } from "antd";
import type { ReactNode } from "react";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { ListTable } from "../lists/list-table.tsx";
import { ACTION_WORDS, isAppAction } from "./actions.ts";
import styles from "./audit-table.module.css";
import { AUDIT } from "./words.ts";

/** Entries of the audit log; a row opens to what changed. */
export function AuditTable({ entries, empty }: { entries: AuditEntry[]; empty: ReactNode }) {
  const say = useWords(AUDIT);
  const columns: TableProps<AuditEntry>["columns"] = [
    { title: say("at"), key: "at", render: (_, { at }) => <TimeAgo at={at} /> },
    { title: say("who"), key: "who", render: (_, { actor }) => <Actor actor={actor} /> },
    {
      title: say("action"),
      key: "action",
      render: (_, { action }) => (
        <div className={styles.action}>
          {isAppAction(action) && <span>{say(ACTION_WORDS[action])}</span>}
          <code>{action}</code>
        </div>
      ),
    },
    { title: say("target"), key: "target", render: (_, { target }) => <code>{target}</code> },
    {
      title: say("address"),
      key: "address",
      render: (_, { address }) => (address === null ? "–" : <code>{address}</code>),
    },
  ];
  return (
    <ListTable<AuditEntry>
      columns={columns}
      dataSource={entries}
      rowKey="auditId"
      expandable={{ expandedRowRender: (entry) => <Change entry={entry} /> }}
      empty={empty}
    />
  );
}

function Actor({ actor: { type, id, name } }: { actor: AuditEntry["actor"] }) {
  const say = useWords(AUDIT);
  if (type === "SYSTEM") return <span title={id}>{say("system")}</span>;
  return <span title={id}>{name ?? id}</span>;
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
