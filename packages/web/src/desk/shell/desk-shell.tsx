import type { Member } from "@portico/protocol/schemas";
import { useEffect } from "react";
import { memberSession } from "../../shared/session/member.ts";
import { unreadOf } from "../../shared/talk/live/unread-count.ts";
import { useNotificationEntries } from "../../shared/talk/notifications.ts";
import panes from "../../shared/talk/pane/panes.module.css";
import { AccountMenu } from "../../shared/ui/account-menu.tsx";
import { OfflineNotice } from "../../shared/ui/offline-notice.tsx";
import { TopBar } from "../../shared/ui/top-bar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { ConversationPane } from "../conversation/conversation-pane.tsx";
import { DeskProvider, useDesk, useDeskNow, useOpenDesk } from "../live/use-desk.ts";
import { ConversationLists } from "../sessions/conversation-lists.tsx";
import { DESK } from "../words.ts";
import { tellOf } from "./arrivals.ts";
import { useOpenId } from "./desk-path.ts";
import { OnlineSwitch } from "./online-switch.tsx";

/** The desk, signed in. */
export function DeskShell({ user }: { user: Member }) {
  const desk = useOpenDesk(user, tellOf);
  return (
    <DeskProvider value={desk}>
      <Layout user={user} />
    </DeskProvider>
  );
}

function Layout({ user }: { user: Member }) {
  const say = useWords(DESK);
  const openId = useOpenId();
  const { leave } = useDesk();
  const { stream } = useDeskNow();
  const notificationEntries = useNotificationEntries();
  useTitle();
  return (
    <div className={panes.page}>
      <TopBar home="/desk/" area={say("area")}>
        <OnlineSwitch />
        <AccountMenu
          id={user.userId}
          name={user.name}
          detail={user.username}
          extra={[...notificationEntries, { kind: "line", key: "line" }]}
          onSignOut={async () => {
            leave();
            await memberSession.end();
          }}
        />
      </TopBar>
      <OfflineNotice stream={stream} />
      <main id="content" className={panes.panes} data-open={openId !== null || undefined}>
        <ConversationLists openId={openId} />
        <ConversationPane id={openId} />
      </main>
    </div>
  );
}

/** What is unread is told by the title too, which is seen in other tabs. */
function useTitle(): void {
  const say = useWords(DESK);
  const { own } = useDeskNow();
  const unread = own.reduce((sum, each) => sum + unreadOf(each.unread), 0);
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ""}${say("area")} · Portico`;
  }, [unread, say]);
}
