import { hasShape } from "@portico/protocol/endpoints";
import { type StartInfo, StartInfoSchema } from "@portico/protocol/schemas";
import { useQuery } from "@tanstack/react-query";

/** How often the page asks whether the service is well. */
const HEALTH_EVERY_MS = 10_000;

/** What runs here. */
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

/** Whether the service is well: with the parts of it that are not. */
export type Health = { isReady: true } | { isReady: false; failed: string[] };

/** The service's health, asked again and again while the page is open. */
export function useHealth() {
  return useQuery({
    queryKey: ["health"],
    queryFn: async ({ signal }): Promise<Health> => {
      const response = await fetch("/readyz", { signal });
      if (response.ok) return { isReady: true };
      const answer: unknown = await response.json();
      return { isReady: false, failed: failedIn(answer) };
    },
    refetchInterval: HEALTH_EVERY_MS,
    retry: false,
  });
}

function failedIn(answer: unknown): string[] {
  if (typeof answer !== "object" || answer === null || !("failed" in answer) || !Array.isArray(answer.failed))
    return [];
  return answer.failed.filter((each) => typeof each === "string");
}
