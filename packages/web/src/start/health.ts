import { useQuery } from "@tanstack/react-query";

/** How often the page asks whether the service is well. */
const HEALTH_EVERY_MS = 10_000;

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
