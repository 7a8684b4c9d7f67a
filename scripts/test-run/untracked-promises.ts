/**
 * Loaded before a test process loads the test runner of Node. The runner follows every promise to the test that made it, to
 * name this test when the promise is rejected and nobody looks; in processes that run a whole service, that takes a sixth of
 * their time. So it follows everything but promises. An error that nobody expected still fails the file.
 */
import asyncHooks from "node:async_hooks";

const { createHook } = asyncHooks;

asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
