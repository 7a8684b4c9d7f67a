import { useEffect } from "react";
import { Link } from "react-router";
import { usePreferences } from "../../shared/look/preferences.ts";
import { useWords } from "../../shared/words/words.ts";
import { GUIDE, pageIn } from "../guide/guide-index.ts";
import { callsOf, useApiDocument } from "../reference/api-document.ts";
import { DOCS } from "../words.ts";
import styles from "./docs-home.module.css";

/** Where the docs begin: the sections of the guide, and the parts of the API. */
export function DocsHome() {
  const say = useWords(DOCS);
  const { locale } = usePreferences();
  const document = useApiDocument();
  const calls = callsOf(document);
  useEffect(() => {
    window.document.title = `${say("area")} · Portico`;
  }, [say]);
  return (
    <div className={styles.home}>
      <header>
        <h1>{say("homeTitle")}</h1>
        <p className={styles.lead}>{say("homeLead")}</p>
      </header>
      <section aria-label={say("guide")}>
        <h2>{say("guide")}</h2>
        <div className={styles.sections}>
          {GUIDE.map(({ section, pages }) => (
            <div key={section}>
              <h3>{say(section)}</h3>
              <ul>
                {pages
                  .map((page) => pageIn(locale, page))
                  .map(({ path, title }) => (
                    <li key={path}>
                      <Link to={`/guide/${path}`}>{title}</Link>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </div>
      </section>
      <section aria-label={say("reference")}>
        <h2>{say("reference")}</h2>
        <ul className={styles.parts}>
          {document.tags.map(({ name, description }) => {
            const first = calls.find(({ operation }) => operation.tags?.includes(name));
            return (
              first && (
                <li key={name}>
                  <Link to={`/reference/${first.operation.operationId}`}>
                    <strong>{name}</strong>
                    <span>{description}</span>
                  </Link>
                </li>
              )
            );
          })}
        </ul>
        <p className={styles.files}>
          <Link to="/components">{say("components")}</Link> ·<a href="/docs/json">{say("openApi")}</a> ·{" "}
          <a href="/docs/customer-service/json">{say("openApiCustomer")}</a>
        </p>
      </section>
    </div>
  );
}
