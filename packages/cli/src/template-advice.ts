/** Advice for refusals of calls about card templates, by status. */
export const TEMPLATE_ADVICE: Readonly<Record<string, string>> = {
  "400": "Correct the card as the message says; `portico card check FILE` finds all that is wrong.",
  "404": "Check the ids of the app and of the template; `portico templates list APP_ID` lists the templates.",
  "409": "Somebody has saved the template since: `portico templates diff` shows what differs.",
};
