/** @jsxImportSource preact */

/** The outlines of the pictures on buttons, 24 by 24. */
const OUTLINES = {
  close: "M18 6 6 18M6 6l12 12",
  send: "M4 12 20 4l-4 16-5-6-7-2Zm7 2 9-10",
  attach: "m20 11-8.6 8.6a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.6 8.6a1.7 1.7 0 0 1-2.4-2.4l8-7.9",
  file: "M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8l-5-5Zm0 0v5h5",
  download: "M12 4v11m0 0-4-4m4 4 4-4M5 20h14",
  sound: "M11 5 6 9H3v6h3l5 4V5Zm4.5 3.5a5 5 0 0 1 0 7M18 6a8.5 8.5 0 0 1 0 12",
  silent: "M11 5 6 9H3v6h3l5 4V5Zm5 4 6 6m0-6-6 6",
  star: "m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9-4.3-4.1 5.9-.8L12 3.5Z",
} as const;

/** A picture that says what the words beside it, or the button's name, say. */
export function Icon({ of }: { of: keyof typeof OUTLINES }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={OUTLINES[of]} />
    </svg>
  );
}
