import { Skeleton } from "antd";
import { type ReactNode, useEffect, useState } from "react";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";

/** What takes less long shows nothing in between, or pages would flicker. */
const PATIENCE_MS = 300;

/** What stands where something is being loaded: nothing at first, then a skeleton of what comes. */
export function Waiting({ rows = 4, children }: { rows?: number; children?: ReactNode }) {
  const say = useWords(SHARED);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={say("loading")} aria-busy="true">
      {isLate && (children ?? <Skeleton active title={false} paragraph={{ rows }} />)}
    </div>
  );
}
