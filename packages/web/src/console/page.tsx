import { part } from "../shared/app/part.tsx";
import { mount } from "../shared/app/portico-app.tsx";
import { SignedIn } from "../shared/app/signed-in.tsx";
import { consoleSession } from "../shared/session/console.ts";

const ConsoleSignIn = part(async () => (await import("./sign-in/console-sign-in.tsx")).ConsoleSignIn);
const Console = part(async () => {
  const { Console, firstPageLoaded } = await import("./console.tsx");
  await firstPageLoaded();
  return Console;
});

/** Draws the console once it is known who is signed in, and what is shown then has been loaded. */
export async function show(asked: Promise<void>): Promise<void> {
  await asked;
  // What cannot be loaded now is told of where it is drawn.
  await (consoleSession.person === null ? ConsoleSignIn : Console).load().catch(() => {});
  mount(
    <SignedIn session={consoleSession} signIn={<ConsoleSignIn />}>
      {() => <Console />}
    </SignedIn>,
  );
}
