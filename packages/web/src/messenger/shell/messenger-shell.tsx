import type { Member } from "@portico/protocol/schemas";
import { lazy, useEffect, useState } from "react";
import { useSecurity } from "../../shared/account/use-security.tsx";
import { useUnsent } from "../../shared/app/unsent.ts";
import { memberSession } from "../../shared/session/member.ts";
import { useNotificationEntries } from "../../shared/talk/notifications.ts";
import styles from "../../shared/talk/pane/panes.module.css";
import { AccountMenu } from "../../shared/ui/account-menu.tsx";
import { DialogPart } from "../../shared/ui/dialog-part.tsx";
import { OfflineNotice } from "../../shared/ui/offline-notice.tsx";
import { TopBar } from "../../shared/ui/top-bar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { ConversationList } from "../conversations/conversation-list.tsx";
import { MessengerProvider, useConversations, useMessenger, useOpenMessenger } from "../live/use-messenger.ts";
import { MESSENGER } from "../words.ts";
import { Conversation } from "./conversation.tsx";
import { tellOf } from "./notifications.ts";
import { leaveQrAddress, qrTokenInAddress } from "./qr-token.ts";
import { useOpenConversation } from "./use-path.ts";

const QrDialog = lazy(async () => ({ default: (await import("../qr/qr-dialog.tsx")).QrDialog }));
const SignOutDialog = lazy(async () => ({
  default: (await import("../../shared/sign-in/sign-out-dialog.tsx")).SignOutDialog,
}));
const CodeDialog = lazy(async () => ({ default: (await import("../mini-programs/code-dialog.tsx")).CodeDialog }));

/** The messenger, signed in. */
export function MessengerShell({ user }: { user: Member }) {
  const messenger = useOpenMessenger(user, tellOf);
  return (
    <MessengerProvider value={messenger}>
      <Layout user={user} />
    </MessengerProvider>
  );
}

function Layout({ user }: { user: Member }) {
  const say = useWords(MESSENGER);
  const openId = useOpenConversation();
  const { leave, hasUnsent } = useMessenger();
  const { stream } = useConversations();
  // A sign-in picture that was opened as an address asks to be confirmed.
  const [qrToken, setQrToken] = useState(qrTokenInAddress);
  const [dialog, setDialog] = useState<"qr" | "code" | "sign-out" | null>(qrToken === null ? null : "qr");
  useEffect(leaveQrAddress, []);
  const close = () => {
    setDialog(null);
    setQrToken(null);
  };
  const signOut = async () => {
    leave();
    await memberSession.end();
  };
  const security = useSecurity(leave);
  const notificationEntries = useNotificationEntries();
  useUnsent(hasUnsent);
  useTitle();
  return (
    <div className={styles.page}>
      <TopBar home="/messenger/" area={say("area")}>
        <button type="button" className={styles.tool} onClick={() => setDialog("qr")}>
          {say("scanQr")}
        </button>
        <AccountMenu
          name={user.name}
          detail={user.username}
          extra={[
            { kind: "action", key: "code", label: say("miniProgramCode"), onChoose: () => setDialog("code") },
            security.entry,
            ...notificationEntries,
            { kind: "line", key: "line" },
          ]}
          onSignOut={async () => {
            if (hasUnsent()) setDialog("sign-out");
            else await signOut();
          }}
        />
      </TopBar>
      <OfflineNotice stream={stream} />
      <main id="content" className={styles.panes} data-open={openId !== null || undefined}>
        <ConversationList openId={openId} />
        <Conversation key={openId} conversationId={openId} />
      </main>
      {dialog !== null && (
        <DialogPart onClose={close}>
          {dialog === "qr" && <QrDialog token={qrToken} onClose={close} />}
          {dialog === "code" && <CodeDialog onClose={close} />}
          {dialog === "sign-out" && (
            <SignOutDialog
              title={say("signOutTitle")}
              losses={[say("signOutUnsent")]}
              onSignOut={signOut}
              onClose={close}
            />
          )}
        </DialogPart>
      )}
      {security.dialog}
    </div>
  );
}

/** What is unread is told by the title too, which is seen in other tabs. */
function useTitle(): void {
  const say = useWords(MESSENGER);
  const { conversations } = useConversations();
  const unread = (conversations ?? []).reduce((sum, { unreadCount }) => sum + unreadCount, 0);
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ""}${say("area")} · Portico`;
  }, [unread, say]);
}
