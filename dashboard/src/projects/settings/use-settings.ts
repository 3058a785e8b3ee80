import { DocentError, type Project } from "@docent/sdk";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { docent } from "../../docent.ts";
import { projectKey, PROJECTS } from "../queries.ts";
import { useNewSettingsForm } from "./form.ts";
import { changedFields, changesOf, valuesOf } from "./values.ts";

/** The form with what the project has now, what of it was changed, and the saving of just that. */
export function useSettings(project: Project) {
  const client = useQueryClient();
  const form = useNewSettingsForm({ initialValues: valuesOf(project) });
  const saved = form.getInitialValues();
  const changed = changedFields(saved, form.values);
  const isUntouched = changed.length === 0;

  const { setInitialValues, setValues } = form;
  useEffect(() => {
    // What somebody else has saved is shown at once, unless it would take away what is being written.
    if (!isUntouched) return;
    setInitialValues(valuesOf(project));
    setValues(valuesOf(project));
    // oxlint-disable-next-line react/exhaustive-deps
  }, [project]);

  const save = useMutation({
    async mutationFn() {
      const now = await docent.projects.get(project.id);
      return await docent.projects.update(project.id, changesOf(changed, form.values, now));
    },
    onSuccess(updated) {
      setInitialValues(valuesOf(updated));
      setValues(valuesOf(updated));
      form.clearErrors();
      client.setQueryData(projectKey(project.id), updated);
      notifications.show({ message: "Saved." });
      return client.invalidateQueries({ queryKey: PROJECTS, exact: true });
    },
    onError: (error) => form.setErrors(errorsOf(error)),
  });

  return {
    form,
    changed,
    save,
    discard() {
      save.reset();
      form.clearErrors();
      setValues(saved);
    },
  };
}

/** The fields that a refusal names: `settings.analytics.origins.0 must be …`, `ref: the repository has …`. */
export function errorsOf(error: Error): Record<string, string> {
  if (!(error instanceof DocentError)) return {};
  const messages = [error.message, ...error.details.map(({ message }) => message)];
  return Object.fromEntries(
    messages.flatMap((message) => {
      const [, field, said] = /^(name|ref|settings(?:\.[a-zA-Z]+)+)(?:: |\b)(.+)/s.exec(message) ?? [];
      return field === undefined || said === undefined ? [] : [[field, said.trim()]];
    }),
  );
}
