import { Pill } from "../../shared/ui/pill.tsx";

/** An HTTP status: good from 200 on, a refusal from 400, a failure of the service from 500. */
export function StatusPill({ status }: { status: number }) {
  return <Pill tone={status < 300 ? "good" : status < 500 ? "warn" : "bad"}>{status}</Pill>;
}
