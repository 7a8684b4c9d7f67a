import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";

/** The key of an application's answers: all that begin with it are of this application. */
export function appKey(appId: string): readonly [string, string] {
  return ["app", appId];
}

/** A review ends without the page: so often is asked whether it has. */
const REVIEW_ASKED_MS = 5_000;

/** An application with its scopes and its quota. */
export function useAppQuery(appId: string) {
  return useQuery({
    queryKey: [...appKey(appId), "detail"],
    queryFn: ({ signal }) => consoleApi.getApp({ params: { appId } }, { signal }),
    refetchInterval: ({ state: { data } }) => data?.review?.state === "PENDING" && REVIEW_ASKED_MS,
  });
}

/** An application with its scopes and its quota, as the console's API shows it. */
export type AppDetail = Awaited<ReturnType<typeof consoleApi.getApp>>;

/** Does something to an application, after which all that is known of it is asked for anew. */
export function useAppChange<Input = void>(appId: string, change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: appKey(appId) }),
        client.invalidateQueries({ queryKey: ["apps"] }),
      ]),
  });
}
