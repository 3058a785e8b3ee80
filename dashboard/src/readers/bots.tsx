import { Button, Table, Text } from "@mantine/core";
import { useState } from "react";
import { CountsHead } from "./counts-head.tsx";
import { DownloadButton } from "./download-button.tsx";
import { formatCount } from "./numbers.ts";
import { useBots } from "./queries.ts";
import { reportDays, type Range } from "./range.ts";
import classes from "./readers.module.css";
import { Answer, Section } from "./section.tsx";

const ROWS_AT_ONCE = 10;

/** Programs that count neither as people nor as AI agents. */
export function Bots({ projectId, range }: { projectId: string; range: Range }) {
  const days = reportDays(range);
  const bots = useBots(projectId, days);
  const [isWhole, setWhole] = useState(false);
  return (
    <Section
      title="Other bots"
      description="Search engines, monitors, link previews: counted here and nowhere else."
      tools={<DownloadButton projectId={projectId} report="bots" rows={days} label="other bots" />}
    >
      <Answer query={bots} height={120}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">No other bot was seen on these days.</Text>
          ) : (
            <>
              <Table className={classes.table} verticalSpacing={8}>
                <CountsHead label="Bot" />
                <Table.Tbody>
                  {(isWhole ? found : found.slice(0, ROWS_AT_ONCE)).map(({ name, visitors, views }) => (
                    <Table.Tr key={name}>
                      <Table.Th scope="row" fw={400}>
                        <bdi>{name}</bdi>
                      </Table.Th>
                      <Table.Td className={classes.number}>{formatCount(visitors)}</Table.Td>
                      <Table.Td className={classes.number}>{formatCount(views)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              {!isWhole && found.length > ROWS_AT_ONCE && (
                <Button variant="default" size="xs" mt="sm" onClick={() => setWhole(true)}>
                  Show all {formatCount(found.length)} bots
                </Button>
              )}
            </>
          )
        }
      </Answer>
    </Section>
  );
}
