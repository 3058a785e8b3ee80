import { describeCodeHost } from "../testing/conformance.ts";
import { createGiteaHarness } from "./testing/harness.ts";

describeCodeHost("Gitea", createGiteaHarness);
