import { json } from "@codemirror/lang-json";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { usePreferences } from "../../../shared/look/preferences.ts";
import { phrasesIn } from "../editor/phrases.ts";
import { look } from "../editor/theme.ts";
import styles from "./versions-dialog.module.css";

/** What differs between two texts: lines that are gone, and those that have come. */
export function Difference({ before, after, label }: { before: string; after: string; label: string }) {
  const { locale } = usePreferences();
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (parent.current === null) return;
    const extensions = [
      lineNumbers(),
      phrasesIn(locale),
      json(),
      look,
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
      unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 2, minSize: 6 } }),
    ];
    const view = new EditorView({ parent: parent.current, state: EditorState.create({ doc: after, extensions }) });
    return () => view.destroy();
  }, [before, after, label, locale]);
  return <div ref={parent} className={styles.text} />;
}
