import { lazy, type ReactNode, useState } from "react";
import { DialogPart } from "../ui/dialog-part.tsx";
import type { MenuEntry } from "../ui/menu.tsx";
import { useWords } from "../words/words.ts";
import { ACCOUNT } from "./words.ts";

const SecurityDialog = lazy(async () => ({ default: (await import("./security-dialog.tsx")).SecurityDialog }));

/**
 * The entry of the account's menu for how one signs in, and the dialog that it opens.
 *
 * @param onLeave called when the member has been signed out.
 */
export function useSecurity(onLeave: () => void): { entry: MenuEntry; dialog: ReactNode } {
  const say = useWords(ACCOUNT);
  const [isOpen, setOpen] = useState(false);
  const onClose = () => setOpen(false);
  const dialog = isOpen && (
    <DialogPart onClose={onClose}>
      <SecurityDialog onLeave={onLeave} onClose={onClose} />
    </DialogPart>
  );
  return { entry: { kind: "action", key: "security", label: say("security"), onChoose: () => setOpen(true) }, dialog };
}
