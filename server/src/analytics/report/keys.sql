-- The keys of some scopes with their figures over a range of days, ordered and cut within each scope of many keys.
select scope, key, human, ai, total, human_views, ai_views, total_views
from
(
    select scope, key, sum(rows.human) as human, sum(rows.ai) as ai, sum(rows.total) as total,
        sum(rows.human_views) as human_views, sum(rows.ai_views) as ai_views, sum(rows.total_views) as total_views,
        row_number() over (partition by scope order by if({by_views:Bool}, total_views, total) desc, key) as place
    from
    (
        -- A visitor is counted on the first of its days in the range: the one whose day before lies outside.
        select toString(scope) as scope, toString(key) as key,
            sumIf(counts.human, previous < {from:Date}) as human, sumIf(counts.ai, previous < {from:Date}) as ai,
            sumIf(counts.total, previous < {from:Date}) as total,
            sum(counts.human_views) as human_views, sum(counts.ai_views) as ai_views,
            sum(counts.total_views) as total_views
        from {database:Identifier}.counts as counts
        where segment in {segments:Array(UInt64)} and scope in {scopes:Array(String)}
            and day >= {from:Date} and day < {to:Date}
        group by scope, key
        {{tail}}
    ) as rows
    group by scope, key
    having if({by_views:Bool} or scope = 'source', total_views, total) > 0
)
where scope in {whole_scopes:Array(String)} or (place > {offset:UInt64} and place <= {offset:UInt64} + {limit:UInt64})
order by scope, place
