import { useMutation, useQueryClient } from "@tanstack/react-query";
import { makeCall } from "../../shared/calls/make-call.ts";
import { payloadOf } from "../../shared/calls/payload.ts";
import type { SnippetCall } from "../../shared/calls/snippets/snippet-call.ts";
import { useApp } from "../app/app-context.ts";

/** Sends calls; what the console shows of the application is asked for anew afterwards. */
export function useSend() {
  const { appId } = useApp().app;
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ call, appSecret, file }: { call: SnippetCall; appSecret: string; file: File | null }) =>
      makeCall({ ...call, payload: await payloadOf(call.body, file), proof: { ...call, appSecret } }),
    // It holds the secret, so it is forgotten with the page.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["app", appId] }),
  });
}
