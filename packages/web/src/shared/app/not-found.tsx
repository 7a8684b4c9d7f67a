import { Link } from "react-router";
import { Page } from "../ui/page.tsx";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";

/** Where an address leads nowhere. */
export function NotFound() {
  const say = useWords(SHARED);
  return (
    <Page title={say("notFoundTitle")} lead={say("notFoundHint")}>
      <Link to="/" replace>
        {say("toStart")}
      </Link>
    </Page>
  );
}
