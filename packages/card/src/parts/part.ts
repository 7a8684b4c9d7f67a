import type { ReactNode } from "react";
import type { JsonObject } from "../model/json.ts";

/** What draws one kind of component is given. */
export interface PartProps {
  element: JsonObject;
  tag: string;
  /** Its children, drawn. */
  children?: ReactNode;
}
