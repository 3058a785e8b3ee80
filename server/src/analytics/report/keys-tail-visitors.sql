        -- What is not folded yet: visitors whom the range has not seen before at that place.
        union all
        select scope, key, toInt64(sum(is_new_human)), toInt64(sum(is_new_ai)), toInt64(sum(is_new))
        from
        (
            select place.1 as scope, place.2 as key, visitor,
                max(is_tail and class = 'human') > max(not is_tail and class = 'human') as is_new_human,
                max(is_tail and class = 'ai') > max(not is_tail and class = 'ai') as is_new_ai,
                if(scope = 'source', countIf(is_tail), max(is_tail) > max(not is_tail)) as is_new
            from
            (
                select visitor, class, batch in {tail:Array(UInt64)} as is_tail,
                    arrayJoin(arrayConcat({{places}}, if(is_tail, [('source', toString(source))], []))) as place
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
