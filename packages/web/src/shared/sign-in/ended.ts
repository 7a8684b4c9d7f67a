import { createContext } from "react";

/** Where the last login was ended, if not here; null when the person ended it, or there was none. */
export const EndedContext = createContext<"tab" | "service" | null>(null);
