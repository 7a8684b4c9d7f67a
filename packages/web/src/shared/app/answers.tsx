import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { mayRetry } from "./may-retry.ts";

/** Keeps what the service answered to the part of the page inside, and forgets it with that part. */
export function Answers({ children }: { children: ReactNode }) {
  const [client] = useState(createClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: mayRetry },
      // Nothing is done twice unless the person asks.
      mutations: { retry: false },
    },
  });
}
