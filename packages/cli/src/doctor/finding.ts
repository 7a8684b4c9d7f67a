/** What a check found: that all is well, a fault, or that there is nothing to check. */
export interface Finding {
  check: string;
  state: "ok" | "fault" | "none";
  /** What is so. */
  detail: string;
  /** What to do about it. */
  advice: string[];
}

/** A finding that needs no advice. */
export function ok(check: string, detail: string): Finding {
  return { check, state: "ok", detail, advice: [] };
}

/** A finding of something that is wrong; the first line says what, the others what to do. */
export function fault(check: string, [detail = "", ...advice]: readonly string[]): Finding {
  return { check, state: "fault", detail, advice };
}

/** A finding that there is nothing to check, and how there would be. */
export function none(check: string, detail: string, ...advice: string[]): Finding {
  return { check, state: "none", detail, advice };
}
