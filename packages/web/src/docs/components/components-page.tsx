import { useEffect, useMemo } from "react";
import { Link, useLocation } from "react-router";
import { useWords } from "../../shared/words/words.ts";
import { DOCS } from "../words.ts";
import styles from "./components-page.module.css";
import { SampleView } from "./sample-view.tsx";
import { GROUPS, samples } from "./samples.ts";

/** Every component of cards, drawn as the messenger draws it. */
export function ComponentsPage() {
  const say = useWords(DOCS);
  const { hash } = useLocation();
  const all = useMemo(() => samples(location.origin), []);
  useEffect(() => {
    document.title = `${say("components")} · Portico`;
  }, [say]);
  useEffect(() => {
    if (hash !== "") document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  return (
    <div className={styles.page}>
      <header>
        <h1>{say("components")}</h1>
        <p className={styles.lead}>{say("componentsLead")}</p>
        <p>
          <Link to="/guide/contract/cards">{say("componentsRules")}</Link>
        </p>
      </header>
      {GROUPS.map((group) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{say(group)}</h2>
          {all[group].map((sample) => (
            <SampleView key={sample.tag} sample={sample} />
          ))}
        </section>
      ))}
    </div>
  );
}
