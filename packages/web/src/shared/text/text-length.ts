/** The most characters that a page sends as one text; the service's own limit is that of a request. */
export const MOST_TEXT_LENGTH = 10_000;
