-- Several segments as one. Days that are no longer kept go, and with them the difference between days before.
insert into {database:Identifier}.counts
select {project:String}, {segment:UInt32}, scope, key, day, if(previous < {retained_from:Date}, toDate(0), previous) as before,
    sum(counts.human) as humans, sum(counts.ai) as ais, sum(counts.total) as totals,
    sum(counts.human_views) as humans_views, sum(counts.ai_views) as ais_views, sum(counts.total_views) as totals_views
from {database:Identifier}.counts as counts
where segment in {segments:Array(UInt32)} and day >= {retained_from:Date}
group by scope, key, day, before
having humans != 0 or ais != 0 or totals != 0 or totals_views != 0
