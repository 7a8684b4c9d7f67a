import { Link } from "react-router";
import { useWords } from "../../shared/words/words.ts";
import { DOCS } from "../words.ts";
import type { Hit } from "./search-texts.ts";
import styles from "./text-hits.module.css";

/** The places in the texts that have what is sought, each with the words around it. */
export function TextHits({ hits }: { hits: readonly Hit[] }) {
  const say = useWords(DOCS);
  return (
    <div>
      <h2>{say("inTexts")}</h2>
      <ul aria-label={say("inTexts")}>
        {hits.map(({ to, title, heading, excerpt }) => (
          <li key={to}>
            <Link to={to}>{heading === "" ? title : `${title} › ${heading}`}</Link>
            <p className={styles.excerpt}>
              {excerpt.map(({ text, marked }, index) =>
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
                marked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
              )}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
