-- What some visitors have read in a range of days, folded or not.
select visitor, path, class, purpose, agent, source, missing, batch in {tail:Array(UInt64)} as is_tail
from {database:Identifier}.views
where project = {project:String} and day >= {from:Date} and day < {to:Date}
    and visitor in {visitors:Array(UInt64)}
    and (batch in {tail:Array(UInt64)} or (batch <= {mark:UInt64} and batch not in {unfolded:Array(UInt64)}))
limit {limit:UInt64}
