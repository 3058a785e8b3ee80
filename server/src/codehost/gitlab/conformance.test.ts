import { describeCodeHost } from "../testing/conformance.ts";
import { createGitLabHarness } from "./testing/harness.ts";

describeCodeHost("GitLab", createGitLabHarness);
