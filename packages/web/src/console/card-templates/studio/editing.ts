import { isolateHistory, undo } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { type Conversion, convertCard, holdsCard } from "@portico/protocol/cards/convert";
import { type RefObject, useState } from "react";
import { insertionOf } from "../editor/insertion.ts";
import { formatCard, formatText } from "../study/format-card.ts";
import type { Problem, Study } from "../study/study-card.ts";

/** What the page does to the text in its editor; all of it can be undone there. */
export interface Editing {
  /** What the last conversion did, until it is undone or dismissed. */
  conversion: Conversion | undefined;
  insert: (component: object) => void;
  format: () => void;
  replace: (text: string) => void;
  show: (problem: Problem) => void;
  paste: (text: string, view: EditorView) => boolean;
  /** Whether what is wrong with a card would be mended by a conversion. */
  canConvert: (study: Study) => boolean;
  convert: () => void;
  undoConversion: () => void;
  dismiss: () => void;
}

/** Reaches into the editor. */
export function useEditing(view: RefObject<EditorView | null>): Editing {
  const [conversion, setConversion] = useState<Conversion>();

  function replaceText(insert: string): void {
    const editor = view.current;
    if (editor === null || editor.state.readOnly) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert },
      selection: { anchor: 0 },
      annotations: isolateHistory.of("full"),
      scrollIntoView: true,
    });
  }

  function convert(): void {
    const value = parsed(view.current?.state.doc.toString() ?? "");
    const found = convertCard(value);
    if (found === null) return;
    replaceText(formatCard(found.card));
    setConversion(found);
  }

  return {
    conversion,
    convert,
    replace: replaceText,
    canConvert: ({ isValid, parsed: read }) => !isValid && read !== undefined && convertCard(read.card) !== null,
    dismiss: () => setConversion(undefined),
    insert(component) {
      const editor = view.current;
      if (editor === null || editor.state.readOnly) return;
      const { doc, selection } = editor.state;
      const { from, to, insert, selection: inserted } = insertionOf(doc.toString(), selection.main.head, component);
      editor.dispatch({
        changes: { from, to, insert },
        selection: inserted,
        effects: EditorView.scrollIntoView(inserted.anchor, { y: "center" }),
        annotations: isolateHistory.of("full"),
      });
      editor.focus();
    },
    format() {
      const text = view.current?.state.doc.toString() ?? "";
      if (parsed(text) !== undefined) replaceText(formatText(text));
    },
    show({ from, to }) {
      view.current?.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: "center" }),
      });
      view.current?.focus();
    },
    paste(text, editor) {
      const value = parsed(text);
      if (editor.state.readOnly || !holdsCard(value)) return false;
      // A whole card takes the place of the one that is there, as none stands within another.
      replaceText(text);
      convert();
      return true;
    },
    undoConversion() {
      if (view.current !== null) undo(view.current);
      setConversion(undefined);
      view.current?.focus();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
