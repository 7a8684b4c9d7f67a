import { START_AND_MESSENGER, testStates } from "./support/accessible-states.ts";

testStates(START_AND_MESSENGER);
