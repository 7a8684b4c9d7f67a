import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Waiting } from "./waiting.tsx";

/**
 * Shows what a query brings: a skeleton until it is there, a notice with "Try again" when it fails. What was there
 * before a failure stays below the notice.
 */
export function QueryView<Data>({
  query,
  skeleton,
  children,
}: {
  query: UseQueryResult<Data>;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = query;
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && error === null && (skeleton ?? <Waiting />)}
    </>
  );
}
