import { useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { type AppDetail, appKey } from "../app/app-queries.ts";

/** While faults come, how many are left changes without the page. */
const ASKED_EVERY_MS = 2_000;

/** Asks which fault an application rehearses. */
export function useRehearsalQuery({ appId, tenantId }: AppDetail) {
  return useQuery({
    queryKey: [...appKey(appId), "rehearsal"],
    queryFn: ({ signal }) => consoleApi.getRehearsal({ params: { appId } }, { signal, tenantId }),
    refetchInterval: ({ state: { data } }) => data?.rehearsal !== null && data !== undefined && ASKED_EVERY_MS,
  });
}

/** The rehearsal that goes on. */
export type Rehearsal = NonNullable<Awaited<ReturnType<typeof consoleApi.getRehearsal>>["rehearsal"]>;
