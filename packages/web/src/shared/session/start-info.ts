import { hasShape } from "@portico/protocol/endpoints";
import { type StartInfo, StartInfoSchema } from "@portico/protocol/schemas";
import { useQuery } from "@tanstack/react-query";

/** What runs here, and where: the same for everyone, and as long as the page is open. */
export function useStartInfo() {
  return useQuery({
    queryKey: ["start"],
    queryFn: async ({ signal }): Promise<StartInfo> => {
      const response = await fetch("/start.json", { signal });
      const info: unknown = await response.json();
      if (!response.ok || !hasShape(StartInfoSchema, info)) throw new Error("the service does not say what it is");
      return info as StartInfo;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Where the guide is: on the service's host, which the console may not have. */
export function useDocsUrl(): string {
  const { data: info } = useStartInfo();
  return info === undefined ? "/docs/" : new URL("/docs/", info.baseUrl).href;
}
