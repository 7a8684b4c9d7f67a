import { useRouteError } from "react-router";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { Page } from "../ui/page.tsx";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";

/** A page that could not be drawn, or whose code could not be loaded, as after an upgrade of the service. */
export function RouteFault() {
  return (
    <main style={{ padding: "var(--s5)", maxWidth: 640, margin: "0 auto" }}>
      <PageFault />
    </main>
  );
}

/**
 * The same in its place, with what is around the page. "Try again" loads all anew: code that was once not there is asked
 * for no more.
 */
export function PageFault() {
  const say = useWords(SHARED);
  const error = useRouteError();
  return (
    <Page title={say("errorTitle")}>
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    </Page>
  );
}
