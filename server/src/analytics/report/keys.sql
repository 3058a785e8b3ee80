-- The keys of some scopes with their figures over a range of days, ordered and cut within each scope of many keys.
-- A visitor is counted on the first of its days in the range: the one whose day before lies outside. Views have no day before.
select toString(scope) as scope, toString(key) as key, human, ai, total
from
(
    select scope, key, sum(human) as human, sum(ai) as ai, sum(total) as total,
        row_number() over (partition by scope order by total desc, toString(key)) as place
    from
    (
        select scope, key, sum(counts.{{human}}) as human, sum(counts.{{ai}}) as ai, sum(counts.{{total}}) as total
        from {database:Identifier}.counts as counts
        where segment in {segments:Array(UInt32)} and scope in {scopes:Array(String)}
            and day >= {from:Date} and day < {to:Date} and previous < {from:Date}
        group by scope, key
        {{tail}}
    )
    group by scope, key
    having total > 0
)
where scope in {whole_scopes:Array(String)} or (place > {offset:UInt64} and place <= {offset:UInt64} + {limit:UInt64})
order by scope, place
