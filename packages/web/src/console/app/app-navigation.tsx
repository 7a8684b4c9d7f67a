import type { AppType } from "@portico/protocol";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { useWords } from "../../shared/words/words.ts";
import { SideNavigation } from "../ui/side-navigation.tsx";
import { SECTIONS } from "./sections.ts";
import { APP } from "./words.ts";

/** The way between the pages of an application, beside one of them. */
export function AppNavigation({ appId, type, children }: { appId: string; type: AppType; children: ReactNode }) {
  const say = useWords(APP);
  const { pathname } = useLocation();
  const start = `/apps/${encodeURIComponent(appId)}`;
  // The application's own address shows its overview.
  const current = pathname.slice(start.length + 1).split("/")[0] || "overview";
  const sections = SECTIONS.filter(({ onlyFor = type }) => onlyFor === type);
  return (
    <SideNavigation
      label={say("navigation")}
      links={sections.map(({ path, word }) => ({
        to: `${start}/${path}`,
        text: say(word),
        isCurrent: path === current,
      }))}
    >
      {children}
    </SideNavigation>
  );
}
