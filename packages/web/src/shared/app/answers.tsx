import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { mayRetry } from "./may-retry.ts";

/** Keeps what the service answered to the part of the page inside, and forgets it with that part. */
export function Answers({ children }: { children: ReactNode }) {
  const [client] = useState(createClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function createClient(): QueryClient {
  // A call is made also where the browser believes to be offline, as the service may run on the same machine; and one that
  // fails says so, instead of waiting to be made when nobody expects it any more.
  const networkMode = "always";
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: mayRetry, networkMode, refetchOnReconnect: true },
      // Nothing is done twice unless the person asks.
      mutations: { retry: false, networkMode },
    },
  });
}
