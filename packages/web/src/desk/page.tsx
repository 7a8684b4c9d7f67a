import { part } from "../shared/app/part.tsx";
import { mount } from "../shared/app/portico-app.tsx";
import { SignedIn } from "../shared/app/signed-in.tsx";
import { memberSession } from "../shared/session/member.ts";

// Each is loaded only when it is shown: who is signed in needs no form, who is not needs no conversations.
const DeskSignIn = part(async () => (await import("./sign-in/desk-sign-in.tsx")).DeskSignIn);
const DeskShell = part(async () => (await import("./shell/desk-shell.tsx")).DeskShell);

/** Draws the desk once it is known who is signed in, and what is shown then has been loaded. */
export async function show(asked: Promise<void>): Promise<void> {
  await asked;
  // What cannot be loaded now is told of where it is drawn.
  await (memberSession.person === null ? DeskSignIn : DeskShell).load().catch(() => {});
  mount(
    <SignedIn session={memberSession} signIn={<DeskSignIn />}>
      {({ user }) => <DeskShell key={user.userId} user={user} />}
    </SignedIn>,
  );
}
