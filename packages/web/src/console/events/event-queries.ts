import { EVENT_SCOPES, type EventType, type SubscriptionState, type Transport } from "@portico/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import type { AppDetail } from "../app/app-queries.ts";

/** Failures and the circuit change by themselves. */
const RENEWED_MS = 5_000;

/** The application's subscriptions. */
export function useSubscriptions(appId: string) {
  return useQuery({
    queryKey: ["app", appId, "subscriptions"],
    queryFn: ({ signal }) => consoleApi.listSubscriptions({ params: { appId } }, { signal }),
    refetchInterval: RENEWED_MS,
  });
}

export type Subscription = Awaited<ReturnType<typeof consoleApi.listSubscriptions>>[number];

/** How a subscription is delivered: one without an address goes by socket. */
export function transportOf(subscription: Pick<Subscription, "callbackUrl"> | undefined): Transport {
  return subscription?.callbackUrl === null ? "SOCKET" : "WEBHOOK";
}

/** What a subscription is to become. Whatever it is, it gets a new secret. */
export interface SubscriptionChange {
  transport?: Transport;
  callbackUrl?: string;
  status?: SubscriptionState;
}

/** Subscribes, or changes a subscription; asks for the event's scope where the application has not done so. */
export function useSubscribe(app: AppDetail, eventType: EventType) {
  const { appId } = app;
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: SubscriptionChange) => {
      const scope = EVENT_SCOPES[eventType];
      if (scope !== null && scopeStateOf(app, eventType) === "NONE") {
        await consoleApi.requestScopes({ params: { appId }, body: { scopes: [scope] } });
      }
      return await consoleApi.subscribe({ params: { appId, eventType }, body });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["app", appId] }),
  });
}

/** Ends a subscription. */
export function useUnsubscribe(appId: string, eventType: EventType) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => consoleApi.unsubscribe({ params: { appId, eventType } }),
    onSettled: () => client.invalidateQueries({ queryKey: ["app", appId, "subscriptions"] }),
  });
}

/** Has the service ask the address; tells whether it answered 2xx, and how the attempt went. */
export function useVerify(appId: string, eventType: EventType) {
  return useMutation({
    mutationFn: async () => {
      const { value, attempt } = await consoleApi.verifySubscription({ params: { appId, eventType } });
      return { passed: value === true, attempt };
    },
  });
}

/** How the application stands to the scope that an event needs; null when it needs none. */
export function scopeStateOf(app: AppDetail, eventType: EventType) {
  const scope = EVENT_SCOPES[eventType];
  if (scope === null) return null;
  return app.scopes.find((each) => each.scope === scope)?.state ?? "NONE";
}
