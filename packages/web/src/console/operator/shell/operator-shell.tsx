import { Link, Outlet, useLocation } from "react-router";
import { Page } from "../../../shared/ui/page.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { useMe } from "../../me.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { SideNavigation } from "../../ui/side-navigation.tsx";
import { CONSOLE } from "../../words.ts";
import { OPERATOR_SECTIONS } from "./operator-sections.ts";
import { OPERATOR } from "./words.ts";

/** What is around every page for operators; other developers are told that it is not theirs. */
export function OperatorShell() {
  const say = useWords(OPERATOR);
  const sayConsole = useWords(CONSOLE);
  const { pathname, search } = useLocation();
  const [, , current] = pathname.split("/");
  const tenant = new URLSearchParams(search).get("tenant");
  return (
    <QueryView query={useMe()}>
      {({ operator }) =>
        operator ? (
          <SideNavigation
            label={say("navigation")}
            links={OPERATOR_SECTIONS.map(({ path, word, ofTenant = false }) => ({
              to: `/operator/${path}${ofTenant && tenant ? `?tenant=${encodeURIComponent(tenant)}` : ""}`,
              text: say(word),
              isCurrent: path === current,
            }))}
          >
            <Outlet />
          </SideNavigation>
        ) : (
          <Page title={say("refused")} lead={say("refusedHint")}>
            <Link to="/apps" replace>
              {sayConsole("apps")}
            </Link>
          </Page>
        )
      }
    </QueryView>
  );
}
