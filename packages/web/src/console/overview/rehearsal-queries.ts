import type { RehearsalState } from "@portico/protocol/schemas";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { type AppDetail, appKey, useAppChange } from "../app/app-queries.ts";

/** While faults come, how many are left changes without the page. */
const ASKED_EVERY_MS = 2_000;

/** Asks which fault an application rehearses. */
export function useRehearsalQuery({ appId, tenantId }: AppDetail) {
  return useQuery({
    queryKey: keyOf(appId),
    queryFn: ({ signal }) => consoleApi.getRehearsal({ params: { appId } }, { signal, tenantId }),
    refetchInterval: ({ state: { data } }) => data?.rehearsal !== null && data !== undefined && ASKED_EVERY_MS,
  });
}

/**
 * Begins or ends a rehearsal. What the page shows follows at once, before `onChanged`: that of a form which is gone by
 * then would not be called.
 */
export function useRehearsalChange<Input = void>(
  appId: string,
  change: (input: Input) => Promise<RehearsalState>,
  onChanged: () => void,
) {
  const client = useQueryClient();
  return useAppChange(appId, async (input: Input) => {
    const state = await change(input);
    client.setQueryData(keyOf(appId), state);
    onChanged();
  });
}

function keyOf(appId: string) {
  return [...appKey(appId), "rehearsal"];
}

/** The rehearsal that goes on. */
export type Rehearsal = NonNullable<RehearsalState["rehearsal"]>;
