/** Gives a test file a document, as a page has one. It comes before React, which looks for one when it is loaded. */
import { Window } from "happy-dom";

const window = new Window({ url: "https://portico.test/messenger/" });
Object.assign(globalThis, {
  window,
  document: window.document,
  location: window.location,
  Element: window.Element,
  HTMLElement: window.HTMLElement,
  HTMLIFrameElement: window.HTMLIFrameElement,
  HTMLInputElement: window.HTMLInputElement,
  Event: window.Event,
  KeyboardEvent: window.KeyboardEvent,
  IS_REACT_ACT_ENVIRONMENT: true,
});
