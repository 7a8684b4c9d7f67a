import { part } from "../shared/app/part.tsx";
import { mount } from "../shared/app/portico-app.tsx";
import { SignedIn } from "../shared/app/signed-in.tsx";
import { memberSession } from "../shared/session/member.ts";
import { askAhead } from "./live/list-ahead.ts";

// Each is loaded only when it is shown: who is signed in needs no form, who is not needs no messages.
const MessengerSignIn = part(async () => (await import("./sign-in/messenger-sign-in.tsx")).MessengerSignIn);
const MessengerShell = part(async () => (await import("./shell/messenger-shell.tsx")).MessengerShell);

/** Draws the messenger once it is known who is signed in, and what is shown then has been loaded. */
export async function show(asked: Promise<void>): Promise<void> {
  await asked;
  askAhead();
  // What cannot be loaded now is told of where it is drawn.
  await (memberSession.person === null ? MessengerSignIn : MessengerShell).load().catch(() => {});
  mount(
    <SignedIn session={memberSession} signIn={<MessengerSignIn />}>
      {({ user }) => <MessengerShell key={user.userId} user={user} />}
    </SignedIn>,
  );
}
