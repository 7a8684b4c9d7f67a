import { type ReactNode, Suspense } from "react";
import { PartBoundary } from "../app/part-boundary.tsx";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorNotice } from "./error-notice.tsx";

/** A dialog whose code is loaded when it is opened. Where that fails, as without a network, the page behind it stays. */
export function DialogPart({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const say = useWords(SHARED);
  const failed = (error: unknown) => (
    <Dialog title={say("errorTitle")} onClose={onClose}>
      <ErrorNotice error={error} />
    </Dialog>
  );
  return (
    <PartBoundary instead={failed}>
      <Suspense>{children}</Suspense>
    </PartBoundary>
  );
}
