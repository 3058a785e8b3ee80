import { expect, test } from "vitest";
import { readGiteaDescription } from "../gitea/testing/description.ts";
import { GITLAB_OPERATIONS } from "../gitlab/testing/contract.ts";
import { createContract } from "./contract.ts";

function request(method: string, path: string, body?: object, query = "") {
  return { method, path, query: new URLSearchParams(query), headers: {}, body };
}

test.each([
  ["an operation that is not there", request("POST", "/projects/1/merge_request", {}), "is not described"],
  ["an unknown field", request("PUT", "/projects/1/merge_requests/1", { titel: "t" }), "titel"],
  ["nothing to change", request("PUT", "/projects/1/merge_requests/1", {}), "fewer than 1"],
  ["a missing field", request("POST", "/projects/a%2Fb/merge_requests", { title: "t" }), "source_branch"],
  ["a number as text", request("POST", "/projects/1/merge_requests/1/notes", { body: 1 }), "must be string"],
  ["an unknown parameter", request("GET", "/projects/1/merge_requests", undefined, "branch=a"), "branch"],
  ["an unknown value", request("GET", "/projects/1/merge_requests", undefined, "state=open"), "allowed values"],
  ["a body where none is", request("GET", "/user", {}), "takes no body"],
])("GitLab's contract notices %s", (_name, asked, problem) => {
  const contract = createContract(GITLAB_OPERATIONS);
  contract.match(asked);
  expect(() => contract.verify()).toThrow(problem);
  expect(() => contract.verify()).not.toThrow();
});

test("Gitea's contract is its description: the same of requests, and of answers", async () => {
  const { operations, schemas } = await readGiteaDescription();
  const contract = createContract(operations, schemas);
  const problems: [() => unknown, string][] = [
    [() => contract.match(request("POST", "/repos/a/b/pulls", { title: "t", draft: true })), "draft"],
    [() => contract.match(request("POST", "/repos/a/b/pulls", { labels: ["docs"] })), "must be number"],
    [() => contract.match(request("GET", "/repos/a/b/pulls", undefined, "head=work")), "head"],
    [() => contract.match(request("PUT", "/repos/a/b/pulls/1")), "is not described"],
    [() => contract.checkAnswer("GET /user", { login: "ada", name: "Ada" }), "name"],
  ];
  for (const [run, problem] of problems) {
    run();
    expect(() => contract.verify()).toThrow(problem);
  }
  const matched = contract.match(request("GET", "/repos/a/b%20c/branches/docent/say-hello"));
  expect(matched).toEqual({
    operation: "GET /repos/{owner}/{repo}/branches/{branch}",
    parameters: { owner: "a", repo: "b c", branch: "docent/say-hello" },
  });
  expect(() => contract.verify()).not.toThrow();
});
