import { describeStates, isOfFullApp } from "./support/console-states.ts";

describeStates(isOfFullApp);
