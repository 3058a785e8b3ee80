        -- What is not folded yet: visitors whom the range has not seen before at that place ...
        union all
        select scope, key, toInt64(sum(is_new_human)), toInt64(sum(is_new_ai)), toInt64(sum(is_new)),
            toInt64(0), toInt64(0), toInt64(0)
        from
        (
            select place.1 as scope, place.2 as key, visitor,
                max(is_tail and class = 'human') > max(not is_tail and class = 'human') as is_new_human,
                max(is_tail and class = 'ai') > max(not is_tail and class = 'ai') as is_new_ai,
                max(is_tail) > max(not is_tail) as is_new
            from
            (
                select visitor, class, batch in {tail:Array(UInt64)} as is_tail, arrayJoin({{places}}) as place
                from {database:Identifier}.views
                where project = {project:String} and day >= {from:Date} and day < {to:Date}
                    and (batch in {tail:Array(UInt64)}
                        or (batch <= {mark:UInt64} and batch not in {unfolded:Array(UInt64)}))
                    and visitor in
                    (
                        select visitor from {database:Identifier}.views
                        where project = {project:String} and day >= {from:Date} and day < {to:Date}
                            and batch in {tail:Array(UInt64)}
                    )
            )
            where place.1 in {scopes:Array(String)}
            group by scope, key, visitor
        )
        group by scope, key
        -- ... and the views themselves.
        union all
        select place.1 as scope, place.2 as key, toInt64(0), toInt64(0), toInt64(0),
            toInt64(countIf(class = 'human')), toInt64(countIf(class = 'ai')), toInt64(count())
        from
        (
            select class, arrayJoin(arrayConcat({{places}}, [('source', toString(source))])) as place
            from {database:Identifier}.views
            where project = {project:String} and day >= {from:Date} and day < {to:Date}
                and batch in {tail:Array(UInt64)}
        )
        where place.1 in {scopes:Array(String)}
        group by scope, key
