import { useMemo } from "react";
import { useStartInfo } from "./start-info.ts";

/** Nothing, for as long as it is not known where pictures come from: asking their hosts would tell them who reads. */
const BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** Where pictures of other hosts are fetched from, by their address; undefined where browsers fetch them themselves. */
export function useImageProxy(): ((address: string) => string) | undefined {
  const { data: info, isError } = useStartInfo();
  return useMemo(() => {
    if (info === undefined) return isError ? undefined : () => BLANK;
    if (!info.imageProxy) return undefined;
    const own = [location.origin, originOf(info.baseUrl)];
    return (address: string) => proxiedAddress(address, own);
  }, [info, isError]);
}

/** The service's own pictures come from it anyway; it asks others by https only. */
function proxiedAddress(address: string, own: readonly string[]): string {
  const url = URL.parse(address, location.href);
  if (url === null || own.includes(url.origin) || !/^https?:$/.test(url.protocol)) return address;
  url.protocol = "https:";
  return `/image-proxy?${new URLSearchParams({ address: url.href })}`;
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? location.origin;
}
