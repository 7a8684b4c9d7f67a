import { type ReactNode, useState } from "react";
import { usePreferences } from "../../shared/look/preferences.ts";
import { useImageProxy } from "../../shared/session/use-image-proxy.ts";
import { TALK } from "../../shared/talk/words.ts";
import { membersOf } from "../../shared/text/file-content.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./post-content.module.css";
import { lengthOf, partOfPost } from "./post-length.ts";
import { type PostSpan, readPost } from "./read-post.ts";

/** A post: a title and paragraphs of text, links, names and pictures; a quiet word where it is in another form. */
export function PostContent({ content }: { content: unknown }) {
  const say = useWords(TALK);
  const pictureAddress = useImageProxy() ?? ((address: string) => address);
  const { locale } = usePreferences();
  const [parts, setParts] = useState(1);
  const post = readPost(membersOf(content), locale);
  const shown = post === null ? [] : partOfPost(post.paragraphs, parts);
  if (post === null) return <span className={styles.unknown}>{say("unknownContent")}</span>;
  return (
    <div className={styles.post} dir="auto">
      {post.title !== "" && <strong className={styles.title}>{post.title}</strong>}
      {shown.map((spans, index) => (
        // Paragraphs have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: a post never changes
        <p key={index}>{spans.map((span, place) => drawSpan(span, place, pictureAddress))}</p>
      ))}
      {lengthOf(shown) < lengthOf(post.paragraphs) && (
        <button type="button" className={styles.more} onClick={() => setParts(parts + 1)}>
          {say("showMore")}
        </button>
      )}
    </div>
  );
}

function drawSpan(span: PostSpan, index: number, pictureAddress: (address: string) => string): ReactNode {
  const key = `${index}`;
  switch (span.kind) {
    case "text":
      return <span key={key}>{span.text}</span>;
    case "mention":
      return (
        <span key={key} className={styles.mention}>
          @{span.text}
        </span>
      );
    case "link":
      return (
        <a key={key} href={span.href} target="_blank" rel="noopener noreferrer" title={new URL(span.href).host}>
          {span.text}
        </a>
      );
    case "picture":
      return <img key={key} className={styles.picture} src={pictureAddress(span.src)} alt="" loading="lazy" />;
  }
}
