import type { Member } from "@portico/protocol/schemas";
import { memberSession } from "../../shared/session/member.ts";
import { AccountMenu, TopBar } from "../../shared/ui/top-bar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";

/** What is around everything in the messenger. */
export function MessengerShell({ user }: { user: Member }) {
  const say = useWords(MESSENGER);
  return (
    <TopBar home="/messenger/" area={say("area")}>
      <AccountMenu id={user.userId} name={user.name} detail={user.username} onSignOut={() => memberSession.end()} />
    </TopBar>
  );
}
