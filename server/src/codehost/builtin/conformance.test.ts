import { describeCodeHost } from "../testing/conformance.ts";
import { createBuiltinHarness } from "./testing/harness.ts";

describeCodeHost("the built-in code host", createBuiltinHarness);
