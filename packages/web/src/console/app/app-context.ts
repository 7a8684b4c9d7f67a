import { useOutletContext } from "react-router";
import type { AppDetail } from "./app-queries.ts";

/** What every page inside an application knows of it. */
export interface AppContext {
  app: AppDetail;
  /** Whether the developer may change it; to the tenant's others it only shows itself. */
  isOwner: boolean;
}

/** The application that a page is inside of. */
export function useApp(): AppContext {
  return useOutletContext<AppContext>();
}
