-- The arrivals themselves, by place and day, and by the source that saw them, which counts no visitors.
insert into {database:Identifier}.counts
select {project:String}, {segment:UInt32}, place.1 as scope, place.2 as key, day, toDate(0),
    0, 0, if(scope = 'source', count(), 0),
    countIf(class = 'human'), countIf(class = 'ai'), count()
from
(
    select day, class, arrayJoin(arrayConcat({{places}}, [('source', toString(source))])) as place
    from {database:Identifier}.views
    where project = {project:String}
        and ({whole:Bool} or batch in {arrivals:Array(UInt64)})
        and batch <= {mark:UInt64} and batch not in {excluded:Array(UInt64)}
        and day >= {retained_from:Date}
)
group by scope, key, day
