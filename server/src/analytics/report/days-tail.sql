    union all
    select day, toInt64(sum(is_new_human)), toInt64(sum(is_new_ai)), toInt64(sum(is_new)),
        toInt64(sum(human_views)), toInt64(sum(ai_views)), toInt64(sum(total_views))
    from
    (
        select day, visitor,
            max(is_tail and class = 'human') > max(not is_tail and class = 'human') as is_new_human,
            max(is_tail and class = 'ai') > max(not is_tail and class = 'ai') as is_new_ai,
            max(is_tail) > max(not is_tail) as is_new,
            countIf(is_tail and class = 'human') as human_views, countIf(is_tail and class = 'ai') as ai_views,
            countIf(is_tail) as total_views
        from
        (
            select day, visitor, class, batch in {tail:Array(UInt64)} as is_tail, arrayJoin({{places}}) as place
            from {database:Identifier}.views
            where project = {project:String} and day >= {from:Date} and day < {to:Date}
                and (batch in {tail:Array(UInt64)}
                    or (batch <= {mark:UInt64} and batch not in {unfolded:Array(UInt64)}))
                and visitor in ({{visitors}})
        )
        where place.1 = 'site'
        group by day, visitor
    )
    group by day
