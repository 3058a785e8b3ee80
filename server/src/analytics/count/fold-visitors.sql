-- For each visitor among the arrivals and each place where it was seen: the pairs (day, day before on which it was there) that its days
-- make with the arrivals, less the pairs that they made without them. What is the same on both sides cancels out.
-- With `whole` every view is an arrival: the counts from the start.
insert into {database:Identifier}.counts
select {project:String}, {segment:UInt32}, scope, key, pair.1 as day, pair.2 as previous,
    sum(pair.3) as human, sum(pair.4) as ai, sum(pair.5) as total, 0, 0, 0
from
(
    select scope, key,
        arrayFlatten(arrayMap(
            (days, human, ai, total) -> arrayMap(
                (day, previous) -> (day, previous, human, ai, total),
                arraySort(days), arrayResize(arrayPushFront(arraySort(days), toDate(0)), length(days))),
            [human_after, human_before, ai_after, ai_before, total_after, total_before],
            [1, -1, 0, 0, 0, 0], [0, 0, 1, -1, 0, 0], [0, 0, 0, 0, 1, -1])) as pairs
    from
    (
        select visitor, place.1 as scope, place.2 as key,
            groupUniqArrayIf(day, class = 'human') as human_after,
            groupUniqArrayIf(day, class = 'ai') as ai_after,
            groupUniqArray(day) as total_after,
            groupUniqArrayIf(day, class = 'human' and is_folded) as human_before,
            groupUniqArrayIf(day, class = 'ai' and is_folded) as ai_before,
            groupUniqArrayIf(day, is_folded) as total_before
        from
        (
            select visitor, day, class,
                not {whole:Bool} and batch not in {arrivals:Array(UInt64)} as is_folded,
                arrayJoin({{places}}) as place
            from {database:Identifier}.views
            where project = {project:String}
                and visitor between {visitor_first:UInt64} and {visitor_last:UInt64}
                and day >= {retained_from:Date}
                and batch <= {mark:UInt64} and batch not in {excluded:Array(UInt64)}
                and ({whole:Bool} or visitor in
                (
                    select visitor from {database:Identifier}.views
                    where project = {project:String} and batch in {arrivals:Array(UInt64)}
                        and visitor between {visitor_first:UInt64} and {visitor_last:UInt64}
                ))
        )
        group by visitor, scope, key
    )
    where length(human_after) > length(human_before) or length(ai_after) > length(ai_before)
        or length(total_after) > length(total_before)
)
array join pairs as pair
group by scope, key, day, previous
having human != 0 or ai != 0 or total != 0
