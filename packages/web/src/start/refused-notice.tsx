import { lazy, Suspense } from "react";

const ErrorNotice = lazy(async () => ({ default: (await import("../shared/ui/error-notice.tsx")).ErrorNotice }));

/** Says that something failed; its words are loaded when it does. */
export function RefusedNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <Suspense fallback={null}>
      <ErrorNotice error={error} onRetry={onRetry} />
    </Suspense>
  );
}
