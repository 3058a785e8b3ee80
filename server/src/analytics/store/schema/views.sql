-- Every view as it came, the truth that the counts are made from. Sorted by visitor, so that the days on which a visitor was seen,
-- and on which pages, are read without a second table: this is what folding and the unfolded tail look up.
create table if not exists {database:Identifier}.views
(
    project LowCardinality(String),
    visitor UInt64,
    path String,
    day Date,
    time DateTime('UTC'),
    class Enum8('human' = 1, 'ai' = 2, 'bot' = 3),
    purpose Enum8('none' = 0, 'assistant' = 1, 'search' = 2, 'training' = 3, 'reader' = 4),
    agent LowCardinality(String),
    source Enum8('tracker' = 1, 'middleware' = 2, 'log' = 3, 'api' = 4),
    missing Bool,
    referrer LowCardinality(String),
    batch UInt64
)
engine = MergeTree
-- One partition for all, made so that each part knows its lowest and highest batch: the unfolded tail is found without opening old parts.
partition by intDiv(batch, 1000000000000000)
order by (project, visitor, path, day)
settings index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1
