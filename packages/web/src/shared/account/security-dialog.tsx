import { Dialog } from "../ui/dialog.tsx";
import { useWords } from "../words/words.ts";
import { ChangePassword } from "./change-password.tsx";
import { SIGN_INS } from "./dialog-words.ts";
import { Sessions } from "./sessions.tsx";
import { SignOutEverywhere } from "./sign-out-everywhere.tsx";

/** How a member signs in, in messenger and desk. */
export function SecurityDialog({
  onLeave,
  onClose,
}: {
  /** Called when the member has been signed out. */
  onLeave: () => void;
  onClose: () => void;
}) {
  const say = useWords(SIGN_INS);
  return (
    <Dialog title={say("security")} onClose={onClose}>
      <Sessions />
      <ChangePassword />
      <SignOutEverywhere onLeave={onLeave} />
    </Dialog>
  );
}
