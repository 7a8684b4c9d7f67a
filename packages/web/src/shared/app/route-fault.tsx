import { useRouteError } from "react-router";
import { ErrorNotice } from "../ui/error-notice.tsx";

/** A page that could not be drawn, or whose code could not be loaded, as after an upgrade of the service. */
export function RouteFault() {
  const error = useRouteError();
  return (
    <main style={{ padding: "var(--s5)", maxWidth: 640, margin: "0 auto" }}>
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    </main>
  );
}
