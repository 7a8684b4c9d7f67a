import { useWords } from "../../shared/words/words.ts";
import styles from "./canonical-diff.module.css";
import { differences, type Piece } from "./differences.ts";
import type { SignedText } from "./signed-lines.ts";
import { REQUESTS } from "./words.ts";

/** The names of the eight lines (docs/contract/signing.md#the-text-that-is-signed). */
const LINE_WORDS = ["method", "path", "query", "appId", "credentialId", "timestamp", "nonce", "bodyHash"] as const;

/** One side of the comparison: its lines, with what the other side has otherwise marked. */
export function CanonicalLines({ text, other, unknown }: { text: SignedText; other: SignedText; unknown: string }) {
  const say = useWords(REQUESTS);
  const count = Math.max(text.lines.length, other.lines.length);
  return (
    <ol className={styles.lines}>
      {Array.from({ length: count }, (_, index) => index).map((index) => {
        const line = text.lines[index];
        const isWrong = line !== other.lines[index];
        const name = LINE_WORDS[index];
        return (
          <li key={index} data-wrong={isWrong}>
            <span className={styles.name}>{name === undefined ? say("extraLine") : name}</span>
            <code>
              {line === null ? (
                <mark>{unknown}</mark>
              ) : (
                <LineText line={line} other={other.lines[index]} gone={say("noLine")} empty={say("emptyLine")} />
              )}
              {index < text.lines.length - 1 && text.joint !== other.joint && <mark>{visible(text.joint)}</mark>}
            </code>
          </li>
        );
      })}
    </ol>
  );
}

function LineText({
  line,
  other,
  gone,
  empty,
}: {
  line: string | undefined;
  other: string | null | undefined;
  gone: string;
  empty: string;
}) {
  if (line === undefined) return <span className={styles.none}>{gone}</span>;
  if (line === "") return other === "" ? <span className={styles.none}>{empty}</span> : <mark>{empty}</mark>;
  const parts: Piece[] = typeof other === "string" ? differences(line, other).left : [{ text: line, differs: true }];
  return parts.map(({ text, differs }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other name
    differs ? <mark key={index}>{visible(text)}</mark> : <span key={index}>{visible(text)}</span>,
  );
}

/** Shows what is otherwise not seen. */
function visible(text: string): string {
  if (text === "") return "‸";
  return text.replaceAll("\r", "␍").replaceAll("\n", "␊").replaceAll("\t", "␉").replaceAll("\u00a0", "⍽");
}
