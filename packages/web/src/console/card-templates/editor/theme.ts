import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The editor in the pages' colours; they follow light and dark by themselves. */
export const look = [
  EditorView.theme({
    "&": { height: "100%", backgroundColor: "var(--ground)", color: "var(--text)", fontSize: "13px" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
    ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
    ".cm-cursor": { borderLeftColor: "var(--text)" },
    ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--text-faint)", border: "none" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--ground-sunken)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      background: "color-mix(in srgb, var(--accent) 24%, transparent)",
    },
    ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
      backgroundColor: "var(--accent-soft)",
      outline: "1px solid var(--line-strong)",
    },
    ".cm-tooltip": {
      border: "1px solid var(--line)",
      borderRadius: "6px",
      backgroundColor: "var(--ground-raised)",
      color: "var(--text)",
      boxShadow: "var(--shadow)",
    },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "#fff" },
    ".cm-diagnostic": { padding: "6px 10px", fontFamily: "var(--font)" },
    ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
    ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
    ".cm-panels": { backgroundColor: "var(--ground-sunken)", color: "var(--text)" },
    ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
    ".cm-textfield": { backgroundColor: "var(--ground)", border: "1px solid var(--line-strong)", borderRadius: "4px" },
    ".cm-button": {
      backgroundImage: "none",
      backgroundColor: "var(--ground-hover)",
      borderColor: "var(--line-strong)",
    },
    // Its ground says more than its kind.
    ".cm-deletedChunk span, .cm-changedText, .cm-changedText span": { color: "var(--text)" },
    ".cm-collapsedLines": {
      background: "var(--ground-sunken)",
      color: "var(--text-quiet)",
      fontFamily: "var(--font)",
    },
    // The signs that the library puts around these words are in few fonts.
    ".cm-collapsedLines::before, .cm-collapsedLines::after": { content: '"⋯"' },
    ".cm-changedText": { background: "color-mix(in srgb, var(--good) 26%, transparent)" },
    ".cm-deletedText": { background: "color-mix(in srgb, var(--bad) 26%, transparent)" },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: "var(--accent-text)" },
      { tag: tags.string, color: "var(--good)" },
      { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
      { tag: [tags.separator, tags.punctuation, tags.brace, tags.squareBracket], color: "var(--text-quiet)" },
    ]),
  ),
];
