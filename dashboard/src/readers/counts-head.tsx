import { Table } from "@mantine/core";
import classes from "./readers.module.css";

/** The head of a table of names with their visitors and views. */
export function CountsHead({ label }: { label: string }) {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">{label}</Table.Th>
        <Table.Th scope="col" className={classes.number}>
          Visitors
        </Table.Th>
        <Table.Th scope="col" className={classes.number}>
          Views
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}
