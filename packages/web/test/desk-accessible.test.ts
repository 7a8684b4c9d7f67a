import { DESK, testStates } from "./support/accessible-states.ts";

testStates(DESK, "desktop", "en-US", { viewport: { width: 1280, height: 800 } });
