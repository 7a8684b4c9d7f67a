import { Dialog } from "../ui/dialog.tsx";
import { useWords } from "../words/words.ts";
import { ChangePassword } from "./change-password.tsx";
import { SignOutEverywhere } from "./sign-out-everywhere.tsx";
import { ACCOUNT } from "./words.ts";

/** How a member signs in, in messenger and desk. */
export function SecurityDialog({
  onLeave,
  onClose,
}: {
  /** Called when the member has been signed out. */
  onLeave: () => void;
  onClose: () => void;
}) {
  const say = useWords(ACCOUNT);
  return (
    <Dialog title={say("security")} onClose={onClose}>
      <ChangePassword />
      <SignOutEverywhere onLeave={onLeave} />
    </Dialog>
  );
}
