import asyncHooks from "node:async_hooks";

/**
 * Lets hooks that are made from now on follow everything but promises. Called before the test runner of Node is loaded, which
 * follows each to the test that made it, to name this test when the promise is rejected and nobody awaits it: in a process
 * that runs whole services, that takes a fifth of its time. An error that nobody awaits still fails the file.
 */
export function trackNoPromises(): void {
  const { createHook } = asyncHooks;
  asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
}
