import { Button } from "antd";
import { useState } from "react";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { APP } from "../app/words.ts";
import { pageIn, useAddress } from "../lists/address.ts";
import { QueryView } from "../ui/query-view.tsx";
import { CannedRepliesTable } from "./canned-replies-table.tsx";
import { DeleteReplyDialog } from "./delete-reply-dialog.tsx";
import { ReplyDialog } from "./reply-dialog.tsx";
import { type CannedReply, useCannedReplies } from "./reply-queries.ts";
import { CANNED_REPLIES } from "./words.ts";

/** What the person is doing to a reply; null for a new one. */
type Doing = { what: "edit"; reply: CannedReply | null } | { what: "delete"; reply: CannedReply };

/** The texts that an application's agents insert by a shortcut. */
export function CannedRepliesPage() {
  const say = useWords(CANNED_REPLIES);
  const sayApp = useWords(APP);
  const { app, isOwner } = useApp();
  const isService = app.type === "CUSTOMER_SERVICE";
  const [doing, setDoing] = useState<Doing>();
  const onDone = () => setDoing(undefined);
  const create = (
    <Button type="primary" onClick={() => setDoing({ what: "edit", reply: null })}>
      {say("newReply")}
    </Button>
  );
  return (
    <Page title={sayApp("cannedReplies")} lead={say("lead")} actions={isService && isOwner && create}>
      {isService ? <Replies onDo={isOwner ? setDoing : undefined} /> : <EmptyState title={say("notService")} />}
      {doing?.what === "edit" && <ReplyDialog reply={doing.reply} onDone={onDone} />}
      {doing?.what === "delete" && <DeleteReplyDialog reply={doing.reply} onDone={onDone} />}
    </Page>
  );
}

function Replies({ onDo }: { onDo: ((doing: Doing) => void) | undefined }) {
  const say = useWords(CANNED_REPLIES);
  const { appId } = useApp().app;
  const { params, change } = useAddress();
  const page = pageIn(params);
  return (
    <QueryView query={useCannedReplies(appId, page)}>
      {({ items, total }) => (
        <CannedRepliesTable
          replies={items}
          paging={{ page, total, onPage: (chosen) => change({ page: chosen }) }}
          onEdit={onDo && ((reply) => onDo({ what: "edit", reply }))}
          onDelete={onDo && ((reply) => onDo({ what: "delete", reply }))}
          empty={<EmptyState title={say("none")} hint={say(onDo === undefined ? "noneHintViewer" : "noneHint")} />}
        />
      )}
    </QueryView>
  );
}
