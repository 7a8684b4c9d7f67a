import { describeStates, isOfOperators } from "./support/console-states.ts";

describeStates(isOfOperators);
