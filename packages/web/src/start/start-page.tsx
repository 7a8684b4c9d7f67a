import { useWords } from "../shared/words/words.ts";
import { START } from "./words.ts";

/** What runs here, and where to go. */
export function StartPage() {
  const say = useWords(START);
  const links = [
    { href: "/console/", title: say("console"), lead: say("consoleLead") },
    { href: "/messenger/", title: say("messenger"), lead: say("messengerLead") },
    { href: "/docs/", title: say("docs"), lead: say("docsLead") },
  ];
  return (
    <main id="content">
      <h1>{say("title")}</h1>
      <p>{say("lead")}</p>
      <ul>
        {links.map(({ href, title, lead }) => (
          <li key={href}>
            <a href={href}>{title}</a>
            <p>{lead}</p>
          </li>
        ))}
      </ul>
    </main>
  );
}
