import type { DeliveryState, EventType } from "@portico/protocol";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { type DeliveryFilter, queryOf } from "./delivery-filter.ts";

/** How often a delivery that is still on its way, or a job that runs, is asked after. */
const RENEWED_MS = 1_500;

/** A page of an application's deliveries, newest first. */
export function useDeliveries(appId: string, filter: DeliveryFilter, refetchInterval: number | false) {
  return useQuery({
    queryKey: ["app", appId, "deliveries", filter],
    queryFn: ({ signal }) =>
      consoleApi.listDeliveries({ params: { appId }, query: queryOf(filter, Date.now()) }, { signal }),
    refetchInterval,
    placeholderData: keepPreviousData,
  });
}

/** A delivery as the list shows it. */
export type Delivery = Awaited<ReturnType<typeof consoleApi.listDeliveries>>["items"][number];

/** A delivery with its attempts. */
export type DeliveryDetail = Awaited<ReturnType<typeof consoleApi.getDelivery>>;
export type Attempt = DeliveryDetail["attempts"][number];

const UNDER_WAY: ReadonlySet<DeliveryState> = new Set(["PENDING", "RETRYING"]);

/** A delivery with its attempts, renewed while there may be more of them; nothing is asked while there is no id. */
export function useDelivery(appId: string, eventId: string | undefined) {
  return useQuery({
    queryKey: ["app", appId, "delivery", eventId],
    queryFn: ({ signal }) => consoleApi.getDelivery({ params: { appId, eventId: eventId ?? "" } }, { signal }),
    enabled: eventId !== undefined,
    refetchInterval: ({ state: { data } }) => data !== undefined && UNDER_WAY.has(data.status) && RENEWED_MS,
  });
}

/** Delivers one event again. */
export function useRedeliver(appId: string, eventId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => consoleApi.redeliverOne({ params: { appId, eventId } }),
    onSettled: () => client.invalidateQueries({ queryKey: ["app", appId] }),
  });
}

/** Delivers a selection again. */
export function useRedeliverSelection(appId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (eventIds: string[]) => consoleApi.redeliverMany({ params: { appId }, body: { eventIds } }),
    onSettled: () => client.invalidateQueries({ queryKey: ["app", appId] }),
  });
}

/** A range of deliveries; times in epoch milliseconds, both ends included. */
export interface DeliveryRange {
  from: number;
  to: number;
  eventType?: EventType;
  status?: DeliveryState;
}

/** Starts a job that delivers a range again. */
export function useRedeliverRange(appId: string) {
  return useMutation({
    mutationFn: async (range: DeliveryRange) => {
      const job = await consoleApi.redeliverMany({ params: { appId }, body: range });
      if (!("jobId" in job)) throw new Error("a range was answered as a selection");
      return job;
    },
  });
}

/** How far a job has come, until it has ended; nothing is asked while there is none. */
export function useRedeliveryJob(appId: string, jobId: string | undefined) {
  return useQuery({
    queryKey: ["app", appId, "redelivery-job", jobId],
    queryFn: ({ signal }) => consoleApi.getRedeliveryJob({ params: { appId, jobId: jobId ?? "" } }, { signal }),
    enabled: jobId !== undefined,
    refetchInterval: ({ state: { data } }) => data?.state === "RUNNING" && RENEWED_MS,
  });
}

/** Stops a job; what it has sent by then stays sent. */
export function useCancelJob(appId: string, jobId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => consoleApi.cancelRedeliveryJob({ params: { appId, jobId } }),
    onSettled: () => client.invalidateQueries({ queryKey: ["app", appId, "redelivery-job", jobId] }),
  });
}
