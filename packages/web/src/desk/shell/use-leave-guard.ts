import { useEffect } from "react";
import { useDesk } from "../live/use-desk.ts";

/** Has the browser ask before a page goes with which something unsent would be lost: drafts are not kept in storage. */
export function useLeaveGuard(): void {
  const desk = useDesk();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (desk.hasUnsent) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [desk]);
}
