import { useRef, useState } from "react";
import { NavLink, useParams } from "react-router";
import { usePreferences } from "../../shared/look/preferences.ts";
import { useWords } from "../../shared/words/words.ts";
import { GUIDE, pageIn } from "../guide/guide-index.ts";
import { type Call, callsOf, useApiDocument } from "../reference/api-document.ts";
import { TextHits } from "../search/text-hits.tsx";
import { useFindKeys } from "../search/use-find-keys.ts";
import { useTextSearch } from "../search/use-text-search.ts";
import { DOCS } from "../words.ts";
import styles from "./docs-nav.module.css";
import { Method } from "./method.tsx";

/** All pages and calls; what is typed leaves those that are called so, and finds the places in the texts that have it. */
export function DocsNav({ onFind }: { onFind: () => void }) {
  const say = useWords(DOCS);
  const [text, setText] = useState("");
  const { pages, components, parts } = useFound(text);
  const { hits, isLoading } = useTextSearch(text);
  const field = useRef<HTMLInputElement>(null);
  const onKeyDown = useFindKeys(field, onFind, () => setText(""));
  return (
    <nav aria-label={say("contents")} className={styles.nav} onKeyDown={onKeyDown}>
      <input
        ref={field}
        aria-keyshortcuts="Control+K Meta+K"
        type="search"
        className={styles.find}
        aria-label={say("find")}
        placeholder={say("find")}
        value={text}
        maxLength={100}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {pages.map(({ section, found }) => (
        <div key={section}>
          <h2>{say(section)}</h2>
          <ul>
            {found.map(({ path, title }) => (
              <li key={path}>
                <NavLink to={`/guide/${path}`}>{title}</NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {parts.length + components.length > 0 && (
        <div>
          <h2>{say("reference")}</h2>
          <ul>
            {components.map((title) => (
              <li key={title}>
                <NavLink to="/components">{title}</NavLink>
              </li>
            ))}
          </ul>
          {parts.map(({ tag, calls }) => (
            <Part key={tag} tag={tag} calls={calls} isSought={text !== ""} />
          ))}
        </div>
      )}
      {hits.length > 0 && <TextHits hits={hits} />}
      {pages.length + components.length + parts.length + hits.length === 0 && !isLoading && (
        <p className={styles.none}>{say("nothingFound", { text })}</p>
      )}
    </nav>
  );
}

/** The calls of a part of the API: open while something is sought, and where the page is one of them. */
function Part({ tag, calls, isSought }: { tag: string; calls: readonly Call[]; isSought: boolean }) {
  const { operationId } = useParams();
  const isOpen = isSought || calls.some(({ operation }) => operation.operationId === operationId);
  return (
    <details key={`${isOpen}`} open={isOpen}>
      <summary>{tag}</summary>
      <ul>
        {calls.map(({ method, path, operation }) => (
          <li key={operation.operationId}>
            <NavLink to={`/reference/${operation.operationId}`} className={styles.call}>
              <Method method={method} />
              <span>{method === null ? path : operation.summary}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The pages and calls in whose names all typed words are. */
function useFound(text: string) {
  const say = useWords(DOCS);
  const document = useApiDocument();
  const { locale } = usePreferences();
  const words = text.toLowerCase().split(/\s+/);
  const fits = (...names: string[]) => {
    const name = names.join(" ").toLowerCase();
    return words.every((word) => name.includes(word));
  };
  const pages = GUIDE.map(({ section, pages: all }) => ({
    section,
    found: all.map((page) => pageIn(locale, page)).filter(({ title, path }) => fits(title, path)),
  })).filter(({ found }) => found.length > 0);
  const calls = callsOf(document).filter(({ method, path, operation }) =>
    fits(operation.summary, path, operation.operationId, method ?? "event"),
  );
  const parts = document.tags
    .map(({ name }) => ({ tag: name, calls: calls.filter(({ operation }) => operation.tags?.includes(name)) }))
    .filter((part) => part.calls.length > 0);
  const components = [say("components")].filter((title) => fits(title, "components"));
  return { pages, components, parts };
}
