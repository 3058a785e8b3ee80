-- One row: which store this is, for PostgreSQL to know it by.
create table if not exists {database:Identifier}.identity
(
    identity String
)
engine = MergeTree
order by identity
