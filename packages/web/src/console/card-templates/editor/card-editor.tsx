import { setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";
import { usePreferences } from "../../../shared/look/preferences.ts";
import { useWords } from "../../../shared/words/words.ts";
import { problemInWords } from "../study/problem-words.ts";
import type { Study } from "../study/study-card.ts";
import { PROBLEMS } from "../study/words.ts";
import styles from "./card-editor.module.css";
import { createEditor, type EditorEvents, named, nameOf } from "./create-editor.ts";
import { EDITOR } from "./words.ts";

/** A text of JSON to write in, with what is wrong in it marked at its place. It begins with `doc`, and keeps its own text from then on. */
export function CardEditor({
  doc,
  study,
  isReadOnly,
  view,
  events,
}: {
  doc: string;
  study: Study;
  isReadOnly: boolean;
  /** Holds the editor, for what is done to its text from outside. */
  view: RefObject<EditorView | null>;
  events: EditorEvents;
}) {
  const say = useWords(EDITOR);
  const { locale } = usePreferences();
  const parent = useRef<HTMLDivElement>(null);
  const first = useRef(doc);
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  useEffect(() => {
    if (parent.current === null) return;
    const editor = createEditor(parent.current, first.current, [], {
      onChange: (text) => latest.current.onChange(text),
      onPaste: (text, target) => latest.current.onPaste(text, target),
      onSave: () => latest.current.onSave(),
    });
    view.current = editor;
    return () => {
      // Drawn anew, as in development, it goes on with what was written.
      first.current = editor.state.doc.toString();
      view.current = null;
      editor.destroy();
    };
  }, [view]);
  const label = say("cardJson");
  useEffect(() => {
    view.current?.dispatch({ effects: named.reconfigure(nameOf(label, isReadOnly, locale)) });
  }, [view, label, isReadOnly, locale]);
  useDiagnostics(view, study);
  return (
    <>
      <div ref={parent} className={styles.editor} />
      <p className={styles.help}>{say("editorHelp")}</p>
    </>
  );
}

/** Marks problems in the text, unless it has changed since it was studied. */
function useDiagnostics(view: RefObject<EditorView | null>, study: Study): void {
  const say = useWords(PROBLEMS);
  const { locale } = usePreferences();
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() !== study.text) return;
    const diagnostics = study.problems.map((problem) => {
      const { what, todo } = problemInWords(problem, say, locale);
      return { from: problem.from, to: problem.to, severity: "error" as const, message: `${what} ${todo}` };
    });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [view, study, say, locale]);
}
