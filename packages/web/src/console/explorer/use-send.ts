import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApp } from "../app/app-context.ts";
import { sendCall } from "./send-call.ts";
import type { SnippetCall } from "./snippets/snippet-call.ts";

/** Sends calls; what the console shows of the application is asked for anew afterwards. */
export function useSend() {
  const { appId } = useApp().app;
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ call, appSecret, file }: { call: SnippetCall; appSecret: string; file: File | null }) =>
      sendCall(call, appSecret, file),
    // It holds the secret, so it is forgotten with the page.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["app", appId] }),
  });
}
