/** Advice for refusals of calls that only operators may make, by status. */
export const OPERATOR_ADVICE: Readonly<Record<string, string>> = {
  "403": "Only an operator of the platform may do this: sign in as one with `portico login`, or name one by --phone.",
  "404": "Check the app's id; `portico reviews` lists what waits for review.",
  "409": "It cannot be done, or not any more, as the message says; `portico reviews` lists what waits for review.",
};
