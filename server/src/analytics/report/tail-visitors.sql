-- The visitors of the unfolded tail in a range of days.
select distinct visitor
from {database:Identifier}.views
where project = {project:String} and day >= {from:Date} and day < {to:Date} and batch in {tail:Array(UInt64)}
