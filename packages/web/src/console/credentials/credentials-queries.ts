import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { appKey } from "../app/app-queries.ts";
import { noteCredentialId } from "./known-credential-id.ts";

function credentialsKey(appId: string) {
  return [...appKey(appId), "credentials"];
}

/** An application's credentials, newest first. */
export function useCredentialsQuery(appId: string) {
  return useQuery({
    queryKey: credentialsKey(appId),
    queryFn: ({ signal }) => consoleApi.listCredentials({ params: { appId } }, { signal }),
  });
}

/** Makes a new credential; the answer is the only one with its secret. */
export function useRotate(appId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => consoleApi.rotateCredential({ params: { appId } }),
    // The secret is shown whether or not the list can be read again.
    onSuccess: ({ credentialId }) => {
      noteCredentialId(appId, credentialId);
      void client.invalidateQueries({ queryKey: credentialsKey(appId) });
    },
    gcTime: 0,
  });
}

/** Ends the grace of the old credentials. */
export function useRevokeOld(appId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => consoleApi.revokeOldCredentials({ params: { appId } }),
    onSuccess: (credentials) => client.setQueryData(credentialsKey(appId), credentials),
  });
}
