import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Locale } from "../../../shared/look/preferences.ts";
import { completeCard } from "./completion.ts";
import { phrasesIn } from "./phrases.ts";
import { look } from "./theme.ts";

/** What the editor tells the page. */
export interface EditorEvents {
  onChange: (text: string) => void;
  /** A text is about to be pasted. @returns whether the page has put it in itself. */
  onPaste: (text: string, view: EditorView) => boolean;
  onSave: () => void;
}

/** The editor's name and its own words, which change with the language, and whether it can be written in. */
export const named = new Compartment();

/** The attributes of the element that is written in. */
export function nameOf(label: string, isReadOnly: boolean, locale: Locale): Extension {
  return [
    phrasesIn(locale),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-multiline": "true",
      spellcheck: "false",
      tabindex: "0",
    }),
    EditorState.readOnly.of(isReadOnly),
  ];
}

/** Only quotation marks close themselves: a brace put in by the editor stays behind when somebody writes a card line by line. */
const closing = Prec.highest(EditorState.languageData.of(() => [{ closeBrackets: { brackets: ['"'] } }]));

/** Makes an editor of JSON in `parent`. */
export function createEditor(parent: HTMLElement, doc: string, name: Extension, events: EditorEvents): EditorView {
  const save = () => {
    events.onSave();
    return true;
  };
  const extensions = [
    [lineNumbers(), foldGutter(), lintGutter(), highlightActiveLine(), highlightActiveLineGutter()],
    [history(), drawSelection(), highlightSpecialChars(), highlightSelectionMatches(), search({ top: true })],
    [closing, json(), bracketMatching(), closeBrackets(), indentOnInput()],
    // What is chosen by Enter has been looked at: who types a line break means one.
    autocompletion({ override: [completeCard], selectOnOpen: false, icons: false }),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    keymap.of([
      { key: "Mod-s", run: save, preventDefault: true },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      ...defaultKeymap,
    ]),
    look,
    named.of(name),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) events.onChange(state.doc.toString());
    }),
    EditorView.domEventHandlers({
      paste: ({ clipboardData }, view) => events.onPaste(clipboardData?.getData("text/plain") ?? "", view),
    }),
  ];
  return new EditorView({ parent, state: EditorState.create({ doc, extensions }) });
}
