import type { Member } from "@portico/protocol/schemas";
import { lazy, useEffect, useState } from "react";
import { useSecurity } from "../../shared/account/use-security.tsx";
import { useUnsent } from "../../shared/app/unsent.ts";
import { unreadOf } from "../../shared/talk/live/unread-count.ts";
import { useNotificationEntries } from "../../shared/talk/notifications.ts";
import panes from "../../shared/talk/pane/panes.module.css";
import { AccountMenu } from "../../shared/ui/account-menu.tsx";
import { DialogPart } from "../../shared/ui/dialog-part.tsx";
import type { MenuEntry } from "../../shared/ui/menu.tsx";
import { OfflineNotice } from "../../shared/ui/offline-notice.tsx";
import { TopBar } from "../../shared/ui/top-bar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { ConversationPane } from "../conversation/conversation-pane.tsx";
import { useQuestionMark, useShortcut } from "../keyboard/use-shortcut.ts";
import { useAgentNews } from "../live/use-agents.ts";
import { DeskProvider, useDesk, useDeskNow, useOpenDesk } from "../live/use-desk.ts";
import { ConversationLists } from "../sessions/conversation-lists.tsx";
import { DESK } from "../words.ts";
import { sound, tellOf } from "./arrivals.ts";
import { goTo, useOpenId } from "./desk-path.ts";
import { OnlineSwitch } from "./online-switch.tsx";
import { useSignOut } from "./use-sign-out.ts";

const ShortcutsDialog = lazy(async () => ({
  default: (await import("../keyboard/shortcuts-dialog.tsx")).ShortcutsDialog,
}));

const SignOutDialog = lazy(async () => ({
  default: (await import("../../shared/sign-in/sign-out-dialog.tsx")).SignOutDialog,
}));

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
  const signOut = useSignOut();
  const { stream } = useDeskNow();
  const [showsKeys, setShowsKeys] = useState(false);
  const showKeys = () => setShowsKeys(true);
  const { leave, hasUnsent } = useDesk();
  const security = useSecurity(leave);
  const extra = [security.entry, ...useMenuEntries(showKeys)];
  useQuestionMark(showKeys);
  useShortcut("help", showKeys);
  useAgentNews();
  useUnsent(hasUnsent);
  useMoves(openId);
  useTitle();
  return (
    <div className={panes.page}>
      <TopBar home="/desk/" area={say("area")}>
        <OnlineSwitch />
        <AccountMenu name={user.name} detail={user.username} extra={extra} onSignOut={signOut.ask} />
      </TopBar>
      <OfflineNotice stream={stream} />
      <main id="content" className={panes.panes} data-open={openId !== null || undefined}>
        <ConversationLists openId={openId} />
        <ConversationPane id={openId} />
      </main>
      {signOut.asked !== null && (
        <DialogPart onClose={signOut.cancel}>
          <SignOutDialog
            title={say("signOutTitle")}
            losses={[
              ...(signOut.asked.conversations > 0 ? [say("signOutOpen", { count: signOut.asked.conversations })] : []),
              ...(signOut.asked.hasUnsent ? [say("signOutUnsent")] : []),
            ]}
            onSignOut={signOut.signOut}
            onClose={signOut.cancel}
          />
        </DialogPart>
      )}
      {showsKeys && (
        <DialogPart onClose={() => setShowsKeys(false)}>
          <ShortcutsDialog onClose={() => setShowsKeys(false)} />
        </DialogPart>
      )}
      {security.dialog}
    </div>
  );
}

/** What of the account's menu is the desk's. */
function useMenuEntries(onKeys: () => void): MenuEntry[] {
  const say = useWords(DESK);
  const [hasSound, setSound] = useState(sound.isOn);
  function changeSound(): void {
    if (hasSound) sound.turnOff();
    else sound.turnOn();
    setSound(sound.isOn);
  }
  return [
    ...useNotificationEntries(),
    { kind: "action", key: "sound", label: say(hasSound ? "soundOff" : "soundOn"), onChoose: changeSound },
    { kind: "action", key: "keys", label: say("shortcuts"), onChoose: onKeys },
    { kind: "line", key: "line" },
  ];
}

/** The shortcuts that go from one conversation to another. */
function useMoves(openId: string | null): void {
  const { waiting, own } = useDeskNow();
  const all = [...waiting, ...own].map(({ id }) => id);
  const move = (step: 1 | -1) => {
    const at = openId === null ? -1 : all.indexOf(openId);
    const to = at === -1 ? (step === 1 ? 0 : all.length - 1) : at + step;
    const id = all[to];
    if (id !== undefined) goTo(id);
  };
  useShortcut("next", () => move(1));
  useShortcut("previous", () => move(-1));
  useShortcut("oldest", () => {
    const [oldest] = waiting.toSorted((a, b) => a.session.queuedAt - b.session.queuedAt);
    if (oldest !== undefined) goTo(oldest.id);
  });
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
