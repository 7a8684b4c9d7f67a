import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { CONSOLE } from "../words.ts";

/** The applications of the developer's tenants. */
export function AppsPage() {
  const say = useWords(CONSOLE);
  const apps = useQuery({ queryKey: ["apps"], queryFn: ({ signal }) => consoleApi.listApps({}, { signal }) });
  return (
    <Page title={say("apps")}>
      {apps.isError && <ErrorNotice error={apps.error} onRetry={() => apps.refetch()} />}
      <ul>
        {apps.data?.items.map(({ appId, displayName }) => (
          <li key={appId}>
            <Link to={`/apps/${appId}`}>{displayName}</Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
