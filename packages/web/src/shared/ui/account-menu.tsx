import { useMutation } from "@tanstack/react-query";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import styles from "./account-menu.module.css";
import { Avatar } from "./avatar.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { MenuButton, type MenuEntry } from "./menu.tsx";
import { usePreferenceEntries } from "./preferences-menu.tsx";

/** The account's button and its menu: who is signed in, what else a page has, language, look, "Sign out". */
export function AccountMenu({
  name,
  detail,
  extra = [],
  onSignOut,
}: {
  name: string;
  detail: string;
  extra?: readonly MenuEntry[];
  onSignOut: () => Promise<void>;
}) {
  const say = useWords(SHARED);
  const signOut = useMutation({ mutationFn: onSignOut });
  const who = (
    <div className={styles.who}>
      <strong>{name}</strong>
      <span>{detail}</span>
    </div>
  );
  const entries: MenuEntry[] = [
    { kind: "text", key: "who", content: who },
    { kind: "line", key: "line-1" },
    ...extra,
    ...usePreferenceEntries(),
    { kind: "line", key: "line-2" },
    { kind: "action", key: "sign-out", label: say("signOut"), onChoose: () => signOut.mutate() },
  ];
  return (
    <>
      <MenuButton label={say("account")} entries={entries}>
        <Avatar name={name} size={28} />
      </MenuButton>
      {signOut.isError && (
        <div className={styles.fault}>
          <ErrorNotice error={signOut.error} onRetry={() => signOut.mutate()} />
        </div>
      )}
    </>
  );
}
