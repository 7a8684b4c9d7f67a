import { DESK, testStates } from "./support/accessible-states.ts";

testStates(DESK);
