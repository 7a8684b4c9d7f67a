import { ConsoleRefusedError } from "@portico/protocol/client";
import { useState } from "react";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { useWords } from "../../shared/words/words.ts";
import { QueryView } from "../ui/query-view.tsx";
import { isReqNo } from "./request-filter.ts";
import { useRequest } from "./request-queries.ts";
import { RequestTable } from "./request-table.tsx";
import { REQUESTS } from "./words.ts";

/** The call that was searched for, opened. */
export function FoundRequest({ appId, reqNo }: { appId: string; reqNo: string }) {
  const say = useWords(REQUESTS);
  const [openId, setOpenId] = useState<string | undefined>(reqNo);
  const query = useRequest(appId, reqNo);
  if (query.error instanceof ConsoleRefusedError && query.error.status === 404) {
    return <EmptyState title={say("notFound")} hint={say(isReqNo(reqNo) ? "notFoundHint" : "notANumber")} />;
  }
  return (
    <QueryView query={query}>
      {(call) => <RequestTable appId={appId} items={[call]} openId={openId} onOpen={setOpenId} />}
    </QueryView>
  );
}
