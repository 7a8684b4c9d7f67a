import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { QueryView } from "../ui/query-view.tsx";
import { CONSOLE } from "../words.ts";
import { EndAllDialog } from "./end-all-dialog.tsx";
import { SessionsTable } from "./sessions-table.tsx";
import { SESSIONS } from "./words.ts";

const KEY = ["sessions"];

/** Where the developer is signed in. */
export function SessionsPage() {
  const say = useWords(SESSIONS);
  const sayConsole = useWords(CONSOLE);
  const client = useQueryClient();
  const [isEndingAll, setEndingAll] = useState(false);
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => consoleApi.listSessions({}, { signal }) });
  const end = useMutation({
    mutationFn: (sessionId: string) => consoleApi.revokeSession({ params: { sessionId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const endOthers = useMutation({
    mutationFn: () => consoleApi.endOtherSessions(),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const error = end.error ?? endOthers.error;
  return (
    <Page
      title={sayConsole("sessions")}
      lead={say("lead")}
      actions={
        <>
          {query.data?.items.some(({ current }) => !current) && (
            <Button loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
              {say("endOthers")}
            </Button>
          )}
          <Button danger onClick={() => setEndingAll(true)}>
            {say("endAll")}
          </Button>
        </>
      }
    >
      {error !== null && <ErrorNotice error={error} />}
      <QueryView query={query}>
        {({ items }) => (
          <SessionsTable
            sessions={items}
            ending={end.isPending ? end.variables : undefined}
            onEnd={(sessionId) => end.mutate(sessionId)}
          />
        )}
      </QueryView>
      {isEndingAll && <EndAllDialog onCancel={() => setEndingAll(false)} />}
    </Page>
  );
}
