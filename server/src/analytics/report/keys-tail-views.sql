        -- What is not folded yet.
        union all
        select place.1 as scope, place.2 as key, toInt64(countIf(class = 'human')), toInt64(countIf(class = 'ai')),
            toInt64(count())
        from
        (
            select class, arrayJoin(arrayConcat({{places}}, [('source', toString(source))])) as place
            from {database:Identifier}.views
            where project = {project:String} and day >= {from:Date} and day < {to:Date}
                and batch in {tail:Array(UInt64)}
        )
        where place.1 in {scopes:Array(String)}
        group by scope, key
