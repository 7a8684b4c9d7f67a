import { Button } from "antd";
import type { ReactNode } from "react";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { APP } from "../app/words.ts";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import type { Paging } from "../lists/paging-bar.tsx";
import styles from "./canned-replies-table.module.css";
import type { CannedReply } from "./reply-queries.ts";
import { CANNED_REPLIES } from "./words.ts";

/** A page of canned replies. */
export function CannedRepliesTable({
  replies,
  paging,
  onEdit,
  onDelete,
  empty,
}: {
  replies: readonly CannedReply[];
  paging: Paging;
  onEdit: ((reply: CannedReply) => void) | undefined;
  onDelete: ((reply: CannedReply) => void) | undefined;
  empty: ReactNode;
}) {
  const say = useWords(CANNED_REPLIES);
  const sayApp = useWords(APP);
  const columns: ListColumn<CannedReply>[] = [
    { key: "shortcut", title: say("shortcut"), cell: ({ shortcut }) => <code>/{shortcut}</code> },
    { key: "text", title: say("text"), kind: "main", cell: ({ text }) => <div className={styles.text}>{text}</div> },
    { key: "updated", title: say("updated"), kind: "wide", cell: (reply) => <Updated reply={reply} /> },
  ];
  const actions = (reply: CannedReply) => {
    const { shortcut } = reply;
    return (
      <div className={styles.buttons}>
        <Button size="small" aria-label={say("editNamed", { shortcut })} onClick={() => onEdit?.(reply)}>
          {say("edit")}
        </Button>
        <Button size="small" danger aria-label={say("deleteNamed", { shortcut })} onClick={() => onDelete?.(reply)}>
          {say("delete")}
        </Button>
      </div>
    );
  };
  return (
    <ListTable<CannedReply>
      label={sayApp("cannedReplies")}
      columns={columns}
      rows={replies}
      idOf={({ replyId }) => replyId}
      actions={onEdit && actions}
      paging={paging}
      empty={empty}
    />
  );
}

function Updated({ reply: { updatedAt, updatedBy } }: { reply: CannedReply }) {
  const say = useWords(CANNED_REPLIES);
  return (
    <>
      <TimeAgo at={updatedAt} /> {updatedBy !== null && say("by", { name: updatedBy })}
    </>
  );
}
