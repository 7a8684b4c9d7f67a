import type { AppState, AppType } from "@portico/protocol";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { noteCredentialId } from "../credentials/known-credential-id.ts";

/** Which applications are to be listed. */
export interface AppsFilter {
  keyword: string | undefined;
  status: AppState | undefined;
  type: AppType | undefined;
  page: number;
  pageSize: number;
}

/** A page of the applications of the developer's tenants. */
export function useAppsQuery(filter: AppsFilter) {
  return useQuery({
    queryKey: ["apps", filter],
    queryFn: ({ signal }) => consoleApi.listApps({ query: filter }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** An application of a list. */
export type ListedApp = Awaited<ReturnType<typeof consoleApi.listApps>>["items"][number];

/** What a new application begins with; the tenant may be left out by who works for one alone. */
export interface NewApp {
  type: AppType;
  displayName: string;
  tenantId: string | undefined;
}

/** Creates an application; the answer is the only one with its secret, and nothing keeps it after the page that shows it. */
export function useCreateApp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewApp) => consoleApi.createApp({ body }),
    onSuccess: ({ appId, credentialId }) => {
      noteCredentialId(appId, credentialId);
      void client.invalidateQueries({ queryKey: ["apps"] });
    },
    gcTime: 0,
  });
}
