-- What an unfolded tail of any size adds to a range of days, by place: visitors whom the range has not seen there before, and views.
select place.1 as scope, place.2 as key,
    sum(is_new_human) as human, sum(is_new_ai) as ai, sum(is_new) as total,
    sum(human_tail) as human_views, sum(ai_tail) as ai_views, sum(tail) as total_views
from
(
    select place, visitor,
        countIf(is_tail and class = 'human') as human_tail, countIf(is_tail and class = 'ai') as ai_tail,
        countIf(is_tail) as tail,
        max(is_tail and class = 'human') > max(not is_tail and class = 'human') as is_new_human,
        max(is_tail and class = 'ai') > max(not is_tail and class = 'ai') as is_new_ai,
        max(is_tail) > max(not is_tail) as is_new
    from
    (
        select visitor, class, batch in {tail:Array(UInt64)} as is_tail,
            arrayJoin(arrayConcat({{places}}, [('source', toString(source))])) as place
        from {database:Identifier}.views
        where project = {project:String} and day >= {from:Date} and day < {to:Date}
            and (batch in {tail:Array(UInt64)}
                or (batch <= {mark:UInt64} and batch not in {unfolded:Array(UInt64)}))
            and visitor in ({{visitors}})
    )
    group by place, visitor
    having tail > 0
)
group by scope, key
