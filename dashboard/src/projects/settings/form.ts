import { createFormContext } from "@mantine/form";
import type { Values } from "./values.ts";

/** The one form that all sections share, so that what was changed in one is kept while another is read. */
export const [SettingsFormProvider, useSettingsForm, useNewSettingsForm] = createFormContext<Values>();
