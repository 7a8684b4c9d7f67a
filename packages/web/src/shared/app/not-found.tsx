import { Link } from "react-router";
import { EmptyState } from "../ui/empty-state.tsx";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";

/** Where an address leads nowhere. */
export function NotFound() {
  const say = useWords(SHARED);
  return (
    <EmptyState
      title={say("notFoundTitle")}
      hint={say("notFoundHint")}
      action={
        <Link to="/" replace>
          {say("toStart")}
        </Link>
      }
    />
  );
}
