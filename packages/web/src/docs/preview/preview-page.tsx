import { type Preview, readPreviewFragment } from "@portico/protocol/cards/preview-link";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useWords } from "../../shared/words/words.ts";
import { CardStage } from "./card-stage.tsx";
import { Findings } from "./findings.tsx";
import { LinkFault } from "./link-fault.tsx";
import styles from "./preview-page.module.css";
import { PREVIEW } from "./words.ts";

/** The card in the fragment of the address, drawn as members see it, and what the service would say to it. */
export function PreviewPage() {
  const say = useWords(PREVIEW);
  const preview = useLinkedCard();
  useEffect(() => {
    document.title = `${say("title")} · Portico`;
  }, [say]);
  return (
    <div className={styles.page}>
      <header>
        <h1>{say("title")}</h1>
        <p className={styles.lead}>{say("lead")}</p>
      </header>
      {preview !== undefined && preview.fault !== null && <LinkFault fault={preview.fault} />}
      {preview !== undefined && preview.fault === null && (
        <>
          <CardStage card={preview.card} look={preview} />
          <Findings card={preview.card} />
        </>
      )}
    </div>
  );
}

/** What the address holds; undefined until it has been read. */
function useLinkedCard(): Preview | undefined {
  const { hash } = useLocation();
  const [read, setRead] = useState<{ hash: string; preview: Preview }>();
  useEffect(() => {
    let isCurrent = true;
    void readPreviewFragment(hash).then((preview) => {
      if (isCurrent) setRead({ hash, preview });
    });
    return () => {
      isCurrent = false;
    };
  }, [hash]);
  return read?.hash === hash ? read.preview : undefined;
}
