-- The site by day. On a single day each visitor has one pair of days, whatever the day before.
select day, sum(rows.human) as human, sum(rows.ai) as ai, sum(rows.total) as total,
    sum(rows.human_views) as human_views, sum(rows.ai_views) as ai_views, sum(rows.total_views) as total_views
from
(
    select day, sum(counts.human) as human, sum(counts.ai) as ai, sum(counts.total) as total,
        sum(counts.human_views) as human_views, sum(counts.ai_views) as ai_views, sum(counts.total_views) as total_views
    from {database:Identifier}.counts as counts
    where segment in {segments:Array(UInt32)} and scope = 'site' and day >= {from:Date} and day < {to:Date}
    group by day
    {{tail}}
) as rows
group by day
having total_views > 0
order by day
