import { CodeHostError, type Repository } from "../codehost/codehost.ts";
import type { CodeHosts } from "../codehost/codehosts.ts";
import type { CodeHostCredential } from "../codehost/connection.ts";
import { ApiError } from "../errors.ts";

/**
 * What a code host says of a repository that a project shall work on, or why it cannot be worked on with this
 * credential: better now than when the first job has done its work.
 * @throws ApiError `unavailable` when the code host does not answer.
 */
export async function lookAtRepository(
  codeHosts: CodeHosts,
  place: Parameters<CodeHosts["connect"]>[0],
  credential: CodeHostCredential | null,
  repository: string,
): Promise<Repository | { refused: string }> {
  try {
    const codeHost = codeHosts.connect(place, credential);
    const found = await codeHost.getRepository(repository);
    if (found.isArchived) {
      return { refused: `repository: ${found.url} is archived. Unarchive it, or name another one.` };
    }
    if (found.mayPush === false || !(await codeHosts.letsPush(codeHost, repository))) {
      return {
        refused: `credential: it may read ${found.url} and not push to it. Docent pushes branches and opens pull requests: give one that may write.`,
      };
    }
    return found;
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    if (error.code === "unavailable") throw new ApiError("unavailable", { message: error.message });
    const field = error.code === "not_found" ? "repository" : "credential";
    return { refused: `${field}: ${error.message}` };
  }
}
