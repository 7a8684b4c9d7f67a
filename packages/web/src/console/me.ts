import { useQuery } from "@tanstack/react-query";
import { consoleApi } from "../shared/session/console.ts";

/** Who is signed in. */
export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => consoleApi.getMe({}, { signal }),
    staleTime: 60_000,
  });
}
