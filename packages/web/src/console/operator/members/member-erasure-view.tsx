import { useQuery } from "@tanstack/react-query";
import { Progress } from "antd";
import { operatorApi } from "../../../shared/session/console.ts";
import { TimeAgo } from "../../../shared/ui/time-ago.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { ErasedCounts } from "../../persons/erased-counts.tsx";
import persons from "../../persons/persons.module.css";
import { PERSONS } from "../../persons/words.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { OPERATOR_KEY } from "../operator-queries.ts";

const ASK_EVERY_MS = 1_000;

/** The erasure of a member, once it has begun; it is asked for again and again until all is done. */
export function useMemberErasure(tenantId: string, userId: string, hasBegun: boolean) {
  return useQuery({
    queryKey: [OPERATOR_KEY, "erasure", tenantId, userId],
    queryFn: ({ signal }) => operatorApi.getMemberErasure({ params: { tenantId, userId } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === "DONE" ? false : ASK_EVERY_MS),
    enabled: hasBegun,
  });
}

/** How far the erasure of a member is, and what it has erased. */
export function MemberErasureView({ tenantId, userId }: { tenantId: string; userId: string }) {
  const say = useWords(PERSONS);
  const query = useMemberErasure(tenantId, userId, true);
  return (
    <QueryView query={query}>
      {({ state, progress, finishedAt, erased }) => (
        <section aria-label={say("erased")} className={persons.report}>
          <p role="status">{say(state === "DONE" ? "nothingLeft" : "goesOn")}</p>
          {state === "RUNNING" && <Progress percent={progress} size="small" aria-label={say("progress")} />}
          <ErasedCounts counts={erased} />
          {finishedAt !== null && (
            <p className={persons.quiet}>
              {say("finishedAt")} <TimeAgo at={finishedAt} />
            </p>
          )}
        </section>
      )}
    </QueryView>
  );
}
