-- What each segment holds about a range of days, by place. A visitor is counted on the first of its days in the range: the one whose day
-- before lies outside. Views have no day before.
select segment, toString(scope) as scope, toString(key) as key, human, ai, total
from
(
    select segment, scope, key,
        sum(counts.{{human}}) as human, sum(counts.{{ai}}) as ai, sum(counts.{{total}}) as total
    from {database:Identifier}.counts as counts
    where segment in {segments:Array(UInt32)}
        and day >= {from:Date} and day < {to:Date} and previous < {from:Date}
    group by segment, scope, key
    having human != 0 or ai != 0 or total != 0
)
